import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { EXIT, fail } from "../model/diagnostic.ts";
import type { Question } from "../operations/context.ts";

/**
 * Asks on the terminal.
 *
 * @throws DiagnosticError `INTERRUPTED` (exit 130) after Ctrl-C or the end of input, which are no answer
 */
export function askOnTerminal(question: Question): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({
    input: process.stdin,
    output: question.hidden ? silent : process.stderr,
    terminal: true,
  });
  if (question.hidden) process.stderr.write(question.text);
  return new Promise((resolve, reject) => {
    let answer: string | null = null;
    reader.on("close", () => {
      if (question.hidden || answer === null) process.stderr.write("\n");
      if (answer === null) reject(unanswered());
      else resolve(answer);
    });
    reader.on("SIGINT", () => reader.close());
    reader.question(question.hidden ? "" : question.text, (line) => {
      answer = line;
      reader.close();
    });
  });
}

function unanswered(): Error {
  return fail("INTERRUPTED", "Interrupted", {
    why: "The question was not answered, and nothing was done.",
    exit: EXIT.interrupted,
  });
}
