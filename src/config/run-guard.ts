import { DiagnosticError, fail } from "../model/diagnostic.ts";
import { watchdog } from "./watchdog.ts";

export interface GuardOptions {
  /** How the message names what runs: `run()` or `the config`. */
  readonly what: string;
  readonly timeoutMs: number;
  /** Makes the error for something that the user's code threw. */
  readonly explain: (what: string, thrown: unknown) => DiagnosticError;
}

/**
 * Runs a piece of the user's config so that it cannot end, hang or garble the command: `process.exit`, endless loops,
 * promises that never settle, unhandled rejections and errors in callbacks all become one DiagnosticError, and what
 * it prints goes to stderr.
 *
 * @throws DiagnosticError `CONFIG_TIMEOUT`, `CONFIG_ENDED_EARLY`, `CONFIG_THREW` (exit 2), or whatever `explain` makes
 */
export async function runGuarded<T>(options: GuardOptions, body: () => Promise<T>): Promise<T> {
  const { what, timeoutMs, explain } = options;
  let stop: (error: DiagnosticError) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  // Without this, a failure that comes after the body has settled would itself be an unhandled rejection.
  stopped.catch(() => {});
  const release = intercept({
    exit: () => endedEarly(what, "It called process.exit()."),
    failure: (thrown) => explain(what, thrown),
    drained: () => endedEarly(what, "It waits for something that will never happen."),
    stop: (error) => stop(error),
  });
  // Not referenced: with nothing else left to wait for, the process should notice that instead.
  const timer = setTimeout(() => stop(timedOut(what, timeoutMs)), timeoutMs).unref();
  watchdog().arm(timeoutMs);
  try {
    const value = await Promise.race([detached(body), stopped]);
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

/** Starts the body from the event loop, so that terminating it does not take our own waiting down with it. */
function detached<T>(body: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      body().then(resolve, reject);
    });
  });
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

function endedEarly(what: string, why: string): DiagnosticError {
  return fail("CONFIG_ENDED_EARLY", `${what} ended before it was complete`, {
    why: `${why} An app that is only half described must not be deployed.`,
    hint: "Let run() return, or throw an error to stop the command.",
  });
}

function timedOut(what: string, timeoutMs: number): DiagnosticError {
  return fail("CONFIG_TIMEOUT", `${what} did not finish within ${timeoutMs / 1000} seconds`, {
    why: "It loops, or waits for something that does not come.",
    hint: "Set SCRIM_CONFIG_TIMEOUT to a number of seconds if it really needs longer.",
  });
}
