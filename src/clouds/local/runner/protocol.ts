import type { CorsSpec } from "../../../components/node.ts";

/** Everything a runner needs to serve one stage; the server sends the whole of it each time something changes. */
export interface StageRuntime {
  readonly app: string;
  readonly stage: string;
  readonly stageKey: string;
  /** Grows with every change; a runner acknowledges it. */
  readonly revision: number;
  readonly account: string;
  readonly region: string;
  /** Absolute path of the folder that log files are appended in. */
  readonly logsFolder: string;
  readonly functions: readonly FunctionRuntime[];
  readonly apis: readonly ApiRuntime[];
}

export interface FunctionRuntime {
  /** Logical name, for logs: `Api/GET /notes`. */
  readonly name: string;
  readonly physicalName: string;
  readonly arn: string;
  /** Absolute path of the unpacked bundle; its name holds the bundle's hash. */
  readonly codeFolder: string;
  /** `index.<export>`. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Most instances at once; null for the runner's own limit. */
  readonly concurrency: number | null;
  /** The whole environment of the instance, secrets in clear, local endpoints included. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ApiRuntime {
  /** Ten characters, as in an execute-api host name. */
  readonly id: string;
  /** Logical name. */
  readonly name: string;
  /** `http-api`: routes and CORS by API Gateway's rules. `function-url`: every request to one function. */
  readonly kind: "http-api" | "function-url";
  readonly port: number;
  readonly cors: CorsSpec | null;
  readonly routes: readonly { readonly routeKey: string; readonly function: string }[];
}

/** Server to runner, over the IPC channel of the child process. `listen` comes with the listening socket as handle. */
export type ToRunner =
  | { readonly kind: "configure"; readonly runtime: StageRuntime }
  | { readonly kind: "listen"; readonly api: string }
  /**
   * A connection that the server accepted, such as before the runner had the listener; comes with the socket as
   * handle. The server keeps its own copy until the runner has said `accepted` with the same number.
   */
  | { readonly kind: "connection"; readonly api: string; readonly number: number }
  /** Finish what is in flight, answer nothing new, exit 0 within `graceMs`. */
  | { readonly kind: "drain"; readonly graceMs: number };

/** Runner to server. */
export type FromRunner =
  | { readonly kind: "ready" }
  | { readonly kind: "configured"; readonly revision: number }
  /** Said before anything is read: a connection that was not yet accepted when a runner died goes to the next one. */
  | { readonly kind: "accepted"; readonly number: number }
  /** No request for a while and none in flight: the server may take the stage back and let the runner go. */
  | { readonly kind: "idle" }
  | { readonly kind: "unavailable"; readonly api: string; readonly reason: string };

/** What the control side of the server needs of the part that runs stages (server/stages/). */
export interface StageHost {
  /** Makes the stage answer as `runtime` says, without dropping a request in flight; resolves when new requests see it. */
  apply(runtime: StageRuntime): Promise<void>;
  /** Ends the stage's runner and closes its ports; resolves when both are gone. */
  remove(stageKey: string): Promise<void>;
  status(): readonly StageHostStatus[];
  close(): Promise<void>;
}

export interface StageHostStatus {
  readonly stageKey: string;
  readonly runner: { readonly pid: number; readonly revision: number } | null;
  readonly apis: readonly {
    readonly id: string;
    readonly name: string;
    readonly port: number;
    readonly state: "asleep" | "serving" | "unavailable";
    readonly reason?: string;
  }[];
}
