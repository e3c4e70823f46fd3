import type { Worker } from "node:worker_threads";
import type { LogEntry } from "../../../cloud.ts";
import type { FunctionRuntime } from "../protocol.ts";
import type {
  FromInstance,
  InstanceSettings,
  InstanceStart,
  ToInstance,
} from "../worker/messages.ts";
import { environmentOf } from "./start-thread.ts";

/** How an invocation ended. `problem` is for the log; the caller of the function does not see it. */
export type Outcome =
  | { readonly kind: "returned"; readonly payload: string }
  | { readonly kind: "failed"; readonly problem: string };

export interface InstanceOptions {
  readonly runtime: FunctionRuntime;
  /** A thread of its own that has not been told anything yet; see start-thread.ts. */
  readonly worker: Worker;
  readonly onReady: () => void;
  /** The thread has ended. `problem` says why; null when it was stopped on purpose. */
  readonly onEnd: (problem: string | null) => void;
  readonly onLog: (level: LogEntry["level"], message: string, timeMs: number) => void;
}

/** One thread that runs one function, one event at a time. */
export interface Instance {
  /** Milliseconds that it took to start and to load the handler; null until then. */
  initMs(): number | null;
  /** Never rejects. Must not be called again before it has resolved. */
  invoke(event: string, requestId: string, timeoutMs: number): Promise<Outcome>;
  /** Ends the thread at once. */
  stop(): void;
}

/** AWS gives a function ten seconds to initialise, and then its timeout. */
const INIT_TIMEOUT_MS = 10_000;

/** A thread inside a native call ends late; nobody waits longer for it than this. */
const END_WAIT_MS = 500;

export function startInstance(options: InstanceOptions): Instance {
  const { runtime } = options;
  const startedMs = performance.now();
  const { worker } = options;
  let initMs: number | null = null;
  let problem: string | null = null;
  let settle: ((outcome: Outcome) => void) | null = null;
  let isOver = false;
  let isStopped = false;

  const finish = (outcome: Outcome) => {
    const callback = settle;
    settle = null;
    callback?.(outcome);
  };
  const end = (reason: string) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(initTimer);
    problem ??= reason;
    finish({ kind: "failed", problem });
    options.onEnd(isStopped ? null : problem);
  };
  const kill = (reason: string) => {
    problem ??= reason;
    void worker.terminate();
    setTimeout(() => end(reason), END_WAIT_MS).unref();
  };
  const initLimitMs = Math.max(INIT_TIMEOUT_MS, runtime.timeoutMs);
  const initTimer = setTimeout(
    () => kill(`Init timed out after ${seconds(initLimitMs)} seconds`),
    initLimitMs,
  );
  initTimer.unref();

  const receive = (message: FromInstance) => {
    switch (message.kind) {
      case "log":
        options.onLog(message.level, message.message, message.timeMs);
        return;
      case "ready":
        clearTimeout(initTimer);
        initMs = performance.now() - startedMs;
        options.onReady();
        return;
      case "unfit":
        kill(message.problem);
        return;
      case "returned":
        finish(message);
        return;
      case "threw":
        finish({ kind: "failed", problem: message.problem });
    }
  };
  worker.on("message", receive);
  worker.on("error", (error: unknown) => {
    problem ??= describeFatal(error, runtime.memoryMb);
  });
  // What the thread sent before it ended has been delivered when `exit` comes, so its last log lines are kept.
  worker.on("exit", (code) => end(describeExit(code, initMs !== null)));
  worker.stdout.on("data", (data: Buffer) => options.onLog("info", trimmed(data), Date.now()));
  worker.stderr.on("data", (data: Buffer) => options.onLog("error", trimmed(data), Date.now()));
  const start: InstanceStart = {
    settings: settingsOf(runtime),
    environment: environmentOf(runtime),
  };
  worker.postMessage(start);

  return {
    initMs: () => initMs,
    invoke: (event, requestId, timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(
          () => kill(`Task timed out after ${seconds(timeoutMs)} seconds`),
          timeoutMs,
        );
        settle = (outcome) => {
          clearTimeout(timer);
          resolve(outcome);
        };
        if (isOver) return finish({ kind: "failed", problem: problem ?? "The instance has ended" });
        const invocation: ToInstance = { requestId, event, deadlineMs: Date.now() + timeoutMs };
        worker.postMessage(invocation);
      }),
    stop() {
      isStopped = true;
      kill("The instance was stopped");
    },
  };
}

function settingsOf(runtime: FunctionRuntime): InstanceSettings {
  const environment = runtime.environment;
  return {
    codeFolder: runtime.codeFolder,
    handler: runtime.handler,
    functionName: runtime.physicalName,
    arn: runtime.arn,
    memoryMb: runtime.memoryMb,
    logGroup: environment["AWS_LAMBDA_LOG_GROUP_NAME"] ?? `/aws/lambda/${runtime.physicalName}`,
    logStream: environment["AWS_LAMBDA_LOG_STREAM_NAME"] ?? "local",
  };
}

function describeFatal(error: unknown, memoryMb: number): string {
  if (!(error instanceof Error)) return `The handler threw ${String(error)}`;
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return `Runtime.OutOfMemory: the function used more than its ${memoryMb} MB of memory`;
  }
  return error.stack ?? error.message;
}

function describeExit(code: number, wasReady: boolean): string {
  // Node.js ends a thread in silence when a top-level await is all that is left of it.
  if (!wasReady && code === 0) {
    return "Runtime.ImportModuleError: loading ended early; a top-level await never settles";
  }
  return `Runtime.ExitError: Runtime exited with status ${code}`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(2);
}

function trimmed(data: Buffer): string {
  return data.toString("utf8").replace(/\r?\n$/, "");
}
