import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Random } from "../model/world.ts";

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};

/** The machine's own randomness. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
};
