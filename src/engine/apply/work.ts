import type { Clock, Random } from "../../model/world.ts";
import type { HandlerContext, ResourceHandler } from "../handler.ts";
import type { CallWatch } from "./call-watch.ts";
import type { Limits } from "./limits.ts";

/** The world as calls see it. */
export interface CallWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: Limits;
  /** Bounds every call. */
  readonly watch: CallWatch;
  /** Aborted when this epoch can write no more: calls in flight are given up. */
  readonly cut: AbortSignal;
  /** Aborted by the first Ctrl-C: calls in flight are finished, none is tried again. */
  readonly stop: AbortSignal;
}

/** One resource that calls are made about. */
export interface Work {
  readonly world: CallWorld;
  readonly handler: ResourceHandler;
  /** For messages. */
  readonly component: string;
  readonly about: Omit<HandlerContext, "signal" | "clock">;
  readonly onWait: (reason: string, elapsedMs: number) => void;
}
