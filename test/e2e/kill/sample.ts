import { exhaustive } from "../../support/require.ts";
import type { Kills } from "./lifecycle.ts";
import { OPERATIONS, type Operation } from "./ten-resources.ts";

/** Lives that a run without SCRIM_TEST_REQUIRE=all goes through. */
const SAMPLED = 8;

/**
 * Which moments are tried: all, or a sample at equal distances from an offset that is random and may be given.
 *
 * @returns for each life at which moment each operation is killed
 */
export function chosenKills(
  moments: Readonly<Record<Operation, readonly string[]>>,
  offset: number,
): readonly Kills[] {
  const most = Math.max(...OPERATIONS.map((operation) => moments[operation].length));
  const lives = exhaustive ? most : SAMPLED;
  return Array.from({ length: lives }, (_, life) => {
    const chosen = OPERATIONS.flatMap((operation): [Operation, number][] => {
      const count = moments[operation].length;
      const every = Math.ceil(count / lives);
      const moment = 1 + (offset % every) + life * every;
      return moment > count ? [] : [[operation, moment]];
    });
    return Object.fromEntries(chosen);
  });
}

/** SCRIM_KILL_OFFSET, else a random number. */
export function killOffset(): number {
  const given = process.env["SCRIM_KILL_OFFSET"];
  return given === undefined ? Math.floor(Math.random() * 1_000) : Number(given);
}
