import type { LogEntry } from "../../../cloud.ts";

/** The first message to a thread: which function it is an instance of. */
export interface InstanceStart {
  readonly settings: InstanceSettings;
  /** The whole environment of the function. */
  readonly environment: Readonly<Record<string, string>>;
}

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

/** Every further message: one event. JSON text crosses a thread faster than an object. */
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
