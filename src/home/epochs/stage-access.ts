import type { Clock, Random } from "../../model/world.ts";
import type { StagePlace } from "../log/stage-place.ts";
import type { Liveness } from "../owner/liveness.ts";

/** What everything that works on one stage's log is given. */
export interface StageAccess {
  readonly place: StagePlace;
  readonly clock: Clock;
  readonly random: Random;
  readonly liveness: Liveness;
}

/** A random identity, 32 hex digits. */
export function randomId(random: Random): string {
  return Buffer.from(random.bytes(16)).toString("hex");
}

/** Now, as records keep it. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
