import { describe, expect, it } from "vitest";
import { countMoments, type Killed, liveThrough } from "./lifecycle.ts";
import { chosenKills, killOffset } from "./sample.ts";
import { OPERATIONS } from "./ten-resources.ts";

/** Lives at the same time; each has a home of its own. */
const AT_ONCE = 2;

describe("a command that is killed", () => {
  it("is finished by one plain rerun, wherever it was", { timeout: 900_000 }, async () => {
    const moments = await countMoments();
    for (const operation of OPERATIONS) expect(moments[operation].length).toBeGreaterThan(20);
    const offset = killOffset();
    const lives = [...chosenKills(moments, offset)];
    process.stderr.write(`${lives.length} lives, SCRIM_KILL_OFFSET=${offset}\n`);
    const killed: Killed[] = [];
    const problems: string[] = [];
    const next = async (): Promise<void> => {
      for (let kills = lives.shift(); kills !== undefined; kills = lives.shift()) {
        try {
          killed.push(...(await liveThrough(kills)));
        } catch (error) {
          problems.push(textOf(error));
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    expect(problems).toEqual([]);
    // The number of moments differs a little from run to run, so the last ones are not always reached.
    const missed = killed.filter(({ at }) => at === null);
    expect(missed.length).toBeLessThan(killed.length / 5);
  });
});

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.stack}` : `${error.stack}`;
}
