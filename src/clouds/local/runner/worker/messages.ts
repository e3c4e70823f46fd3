import type { LogEntry } from "../../../cloud.ts";

/** What an instance is told when it starts. */
export interface InstanceSettings {
  readonly codeFolder: string;
  /** `index.<export>`. */
  readonly handler: string;
  readonly functionName: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly logGroup: string;
  readonly logStream: string;
}

/** Runner to instance: one event. JSON text crosses a thread faster than an object. */
export interface ToInstance {
  readonly requestId: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/** Instance to runner. */
export type FromInstance =
  | { readonly kind: "ready" }
  /** Initialisation failed; the thread ends by itself. */
  | { readonly kind: "unfit"; readonly problem: string }
  | {
      readonly kind: "log";
      readonly level: LogEntry["level"];
      readonly message: string;
      readonly timeMs: number;
    }
  /** The JSON text of what the handler returned. */
  | { readonly kind: "returned"; readonly payload: string }
  /** The handler threw; `problem` is the stack for the log. */
  | { readonly kind: "threw"; readonly problem: string };
