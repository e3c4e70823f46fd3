import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../model/world.ts";

/** The machine's own clock, for the processes of the local cloud. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};
