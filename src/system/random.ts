import { randomBytes } from "node:crypto";
import type { Random } from "../model/world.ts";

/** The machine's own randomness. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
};
