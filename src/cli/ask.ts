import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Question } from "../operations/context.ts";

/** Asks on the terminal. Ends of input and Ctrl-C answer with an empty line. */
export function askOnTerminal(question: Question): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({
    input: process.stdin,
    output: question.hidden ? silent : process.stderr,
    terminal: true,
  });
  if (question.hidden) process.stderr.write(question.text);
  return new Promise((resolve) => {
    let answer = "";
    reader.on("close", () => {
      if (question.hidden) process.stderr.write("\n");
      resolve(answer);
    });
    reader.on("SIGINT", () => reader.close());
    reader.question(question.hidden ? "" : question.text, (line) => {
      answer = line;
      reader.close();
    });
  });
}
