import { closeSync, writeSync } from "node:fs";
import { type Diagnostic, DiagnosticError, EXIT, fail } from "../model/diagnostic.ts";
import { watchdog } from "./watchdog.ts";

export interface GuardOptions {
  /** How the message names what runs: `run()` or `the config`. */
  readonly what: string;
  readonly timeoutMs: number;
  /** Makes the error for something that the user's code threw. */
  readonly explain: (what: string, thrown: unknown) => DiagnosticError;
  /**
   * Tells the user about code that keeps the main thread busy for ever. Nothing asynchronous runs any more; the process
   * ends with 2 when this returns. @default its text on stderr
   */
  readonly onHang?: (problem: Diagnostic) => void;
}

/**
 * Runs a piece of the user's config so that it cannot end, hang or garble the command: `process.exit`, endless loops,
 * promises that never settle, unhandled rejections and errors in callbacks all become one DiagnosticError, and what
 * it prints goes to stderr. Only code that never comes back cannot: it ends the process, after `onHang`.
 *
 * @throws DiagnosticError `CONFIG_TIMEOUT`, `CONFIG_ENDED_EARLY`, `CONFIG_THREW` (exit 2), or whatever `explain` makes
 */
export async function runGuarded<T>(options: GuardOptions, body: () => Promise<T>): Promise<T> {
  const { what, timeoutMs, explain, onHang = printProblem } = options;
  let stop: (error: DiagnosticError) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  // Without this, a failure that comes after the body has settled would itself be an unhandled rejection.
  stopped.catch(() => {});
  // Taken before it is replaced.
  const { exit } = process;
  const release = intercept({
    exit: () => endedEarly(what, "It called process.exit()."),
    failure: (thrown) => explain(what, thrown),
    drained: () => endedEarly(what, "It waits for something that will never happen."),
    stop: (error) => stop(error),
  });
  // Not referenced: with nothing else left to wait for, the process should notice that instead.
  const timer = setTimeout(() => stop(timedOut(what, timeoutMs)), timeoutMs).unref();
  watchdog().arm(timeoutMs, () => {
    onHang(timedOut(what, timeoutMs).diagnostics[0]);
    leave(exit);
  });
  try {
    const value = await Promise.race([body(), stopped]);
    // Rejections that nobody handles are reported after this turn.
    await Promise.race([nextTurn(), stopped]);
    return value;
  } catch (error) {
    throw error instanceof DiagnosticError ? error : explain(what, error);
  } finally {
    watchdog().disarm();
    clearTimeout(timer);
    release();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

interface Interception {
  exit(): DiagnosticError;
  failure(thrown: unknown): DiagnosticError;
  drained(): DiagnosticError;
  stop(error: DiagnosticError): void;
}

/** Takes over what user code could disturb the process with; returns what gives it back. */
function intercept(on: Interception): () => void {
  const { exit } = process;
  const write = process.stdout.write;
  process.exit = () => {
    const error = on.exit();
    on.stop(error);
    throw error;
  };
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const failed = (thrown: unknown): void => {
    on.stop(thrown instanceof DiagnosticError ? thrown : on.failure(thrown));
  };
  const drained = (): void => on.stop(on.drained());
  process.on("unhandledRejection", failed);
  process.on("uncaughtException", failed);
  process.once("beforeExit", drained);
  return () => {
    process.exit = exit;
    process.stdout.write = write;
    process.off("unhandledRejection", failed);
    process.off("uncaughtException", failed);
    process.off("beforeExit", drained);
  };
}

function printProblem({ message, why, hint }: Diagnostic): void {
  const lines = [
    `Error: ${message}`,
    ...(why ? [`  Why: ${why}`] : []),
    ...(hint ? [`  Fix: ${hint}`] : []),
  ];
  try {
    writeSync(2, `${lines.join("\n")}\n`);
  } catch {
    // A closed or full stderr must not keep the process from ending.
  }
}

function leave(exit: typeof process.exit): void {
  try {
    // Node would tell the user about the debugger through which the watchdog reached this thread.
    closeSync(2);
  } finally {
    exit(EXIT.usage);
  }
}

function endedEarly(what: string, why: string): DiagnosticError {
  return fail("CONFIG_ENDED_EARLY", `${what} ended before it was complete`, {
    why: `${why} An app that is only half described must not be deployed.`,
    hint: "Let run() return, or throw an error to stop the command.",
  });
}

function timedOut(what: string, timeoutMs: number): DiagnosticError {
  return fail("CONFIG_TIMEOUT", `${what} did not finish within ${timeoutMs / 1000} s`, {
    why: "It loops, or waits for something that does not come.",
    hint: "Set SCRIM_CONFIG_TIMEOUT to a number of seconds if it really needs longer.",
  });
}
