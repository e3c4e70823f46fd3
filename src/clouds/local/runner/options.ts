import { fileURLToPath } from "node:url";

/** How a runner behaves; given by the server as the first argument of the process, as JSON. */
export interface RunnerOptions {
  /** Absolute path of the built worker.ts; null for `worker.js` beside the runner itself. */
  readonly workerEntry: string | null;
  /** Without a request and without an open connection for this long, the runner asks to be let go. */
  readonly idleMs: number;
  /** An instance that had no event for this long is ended. */
  readonly instanceIdleMs: number;
  /** How long an HTTP API waits for its function. AWS: 30 seconds, not adjustable. */
  readonly gatewayTimeoutMs: number;
}

export const DEFAULT_RUNNER_OPTIONS: RunnerOptions = {
  workerEntry: null,
  idleMs: 300_000,
  instanceIdleMs: 120_000,
  gatewayTimeoutMs: 30_000,
};

/**
 * Reads the argument that the server passed; what it leaves out has its default.
 *
 * @throws Error when the text is not a JSON object
 */
export function parseRunnerOptions(text: string | undefined): RunnerOptions {
  const given: unknown = JSON.parse(text ?? "{}");
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Error("The runner's options must be a JSON object.");
  }
  const member = (name: string): unknown => Reflect.get(given, name);
  const duration = (name: Exclude<keyof RunnerOptions, "workerEntry">): number => {
    const value = member(name);
    return typeof value === "number" && value > 0 ? value : DEFAULT_RUNNER_OPTIONS[name];
  };
  const workerEntry = member("workerEntry");
  return {
    workerEntry: typeof workerEntry === "string" ? workerEntry : null,
    idleMs: duration("idleMs"),
    instanceIdleMs: duration("instanceIdleMs"),
    gatewayTimeoutMs: duration("gatewayTimeoutMs"),
  };
}

/** The file that instances run: the one named by the options, else the one built beside the runner. */
export function workerFile(options: RunnerOptions, runnerUrl: string): string {
  return options.workerEntry ?? fileURLToPath(new URL("./worker.js", runnerUrl));
}
