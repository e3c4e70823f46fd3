import { type Diagnostic, DiagnosticError, EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { Emit } from "../model/event.ts";
import type { Question } from "../operations/context.ts";
import { systemClock } from "../system/clock.ts";
import { systemRandom } from "../system/random.ts";
import type { SessionOptions } from "./command.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { diagnosticText } from "./render/diagnostic-text.ts";
import { jsonAnswer, jsonError } from "./render/json.ts";
import { type Progress, startProgress } from "./render/progress.ts";
import { openTerminal, type Terminal } from "./render/terminal.ts";
import type { Session } from "./session.ts";
import { version } from "./version.ts";

const SILENT: Progress = { emit: () => undefined, finish: () => undefined };

/**
 * Runs the body of one command: gives it a session, listens for Ctrl-C, and turns what it throws into text on standard
 * error and an exit code. What is thrown and is no diagnostic is a bug of ours and says so.
 */
export async function runCommand(
  options: SessionOptions,
  body: (session: Session) => Promise<ExitCode>,
): Promise<number> {
  const terminal = openTerminal({
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
  });
  const { json, verbose } = options;
  let cwd: string;
  try {
    cwd = process.cwd();
  } catch {
    terminal.err.write(
      "Error: The folder that this command was started in does not exist any more",
    );
    return EXIT.usage;
  }
  const progress = json ? SILENT : startProgress(terminal, { cwd, verbose });
  const warnings: Diagnostic[] = [];
  const keepWarning: Emit = (event) => {
    if (event.kind === "diagnostic") warnings.push(event.diagnostic);
  };
  let quiet = false;
  const interrupts = listenForInterrupts((message) => {
    if (!quiet) terminal.err.write(message);
  });
  const session: Session = {
    terminal,
    json,
    verbose,
    progress,
    warnings,
    context: {
      cwd,
      env: { ...process.env },
      clock: systemClock,
      random: systemRandom,
      version,
      emit: json ? keepWarning : progress.emit,
      signal: interrupts.signal,
      ask: terminal.interactive && !json ? ask : null,
    },
    endsAnyTime: () => {
      quiet = true;
    },
    answer: (document, text) => {
      progress.finish(false);
      terminal.out.write(json ? jsonAnswer(document, warnings) : text());
    },
  };
  try {
    const exit = await body(session);
    return exit === EXIT.done ? exit : (interrupts.exitCode() ?? exit);
  } catch (error) {
    progress.finish(false);
    const exit = tellProblem(error, terminal, { json, verbose, cwd });
    return interrupts.exitCode() ?? exit;
  } finally {
    progress.finish(false);
    interrupts.stop();
  }
}

/** Most commands ask nothing, and what reads lines of a terminal loads slowly. */
async function ask(question: Question): Promise<string> {
  const { askOnTerminal } = await import("./ask.ts");
  return askOnTerminal(question);
}

interface TellOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly cwd: string;
}

function tellProblem(error: unknown, terminal: Terminal, options: TellOptions): ExitCode {
  const { json, verbose, cwd } = options;
  const problem = error instanceof DiagnosticError ? error : asBug(error, verbose);
  if (json) {
    terminal.err.write(jsonError(problem.diagnostics));
    return problem.exit;
  }
  for (const diagnostic of problem.diagnostics) {
    const stack = verbose && error instanceof Error ? (error.stack ?? "") : "";
    terminal.err.write(diagnosticText(diagnostic, { style: terminal.err.style, cwd, verbose }));
    if (stack !== "") terminal.err.write(stack);
  }
  return problem.exit;
}

function asBug(error: unknown, verbose: boolean): DiagnosticError {
  if (error instanceof Error && error.message === "interrupted") {
    return new DiagnosticError({
      severity: "error",
      code: "INTERRUPTED",
      message: "Interrupted",
      hint: "Run the command again; what was begun is settled first.",
      exit: EXIT.interrupted,
    });
  }
  const said = error instanceof Error ? error.message : String(error);
  return new DiagnosticError({
    severity: "error",
    code: "BUG",
    message: `Scrim met a problem that it does not know: ${said}`,
    why: "This is a defect of the tool, not of your app. What was recorded is safe.",
    ...(verbose ? {} : { hint: "Run the command again with --verbose for the details." }),
    exit: EXIT.failed,
  });
}
