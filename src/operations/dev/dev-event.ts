import type { LogEntry } from "../../clouds/cloud.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";

/** What made `dev` change the stage: the config, its environment or a secret; or the code of handlers. */
export type DevCause = "config" | "code";

/** What `dev` tells, besides the events of each change that every operation tells. */
export type DevEvent =
  /** The stage answers, and files are watched from now on. */
  | { readonly kind: "serving"; readonly outputs: JsonObject }
  /** A change begins. `files`: what has changed, absolute paths; empty for code and secrets. */
  | { readonly kind: "changing"; readonly cause: DevCause; readonly files: readonly string[] }
  /** The stage is what the files say. */
  | {
      readonly kind: "changed";
      readonly cause: DevCause;
      /** Names of the resources that are others than before; empty when the files say what they said before. */
      readonly resources: readonly string[];
      /** From noticing the change until it answers. */
      readonly elapsedMs: number;
      readonly outputs: JsonObject;
    }
  /** Some resources could not be changed, as their events told; the next change tries again. */
  | { readonly kind: "incomplete"; readonly cause: DevCause }
  /** What the files say cannot be served; the last good version goes on answering. */
  | {
      readonly kind: "rejected";
      readonly cause: DevCause;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: "log"; readonly entry: LogEntry };

/** Receives what `dev` tells; must not throw. */
export type TellDev = (event: DevEvent) => void;
