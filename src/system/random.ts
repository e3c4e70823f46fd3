import type { Random } from "../model/world.ts";

/** The machine's own randomness. */
export const systemRandom: Random = {
  // Node's global, since importing node:crypto costs every command 3 ms, and few of them need randomness.
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
