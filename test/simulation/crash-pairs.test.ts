import { describe, expect, it } from "vitest";
import { smallApp } from "../../src/testing/simulated-app.ts";
import { instantProblems, restProblems } from "../../src/testing/simulated-checks.ts";
import { type Job, runJob } from "../../src/testing/simulated-deployer.ts";
import type { Effect, Fault } from "../../src/testing/simulated-process.ts";
import type { SimulatedWorld } from "../../src/testing/simulated-world.ts";
import { isDone, told } from "./ending.ts";
import { SCENARIOS, worldBefore } from "./scenarios.ts";

const CRASHES: readonly Fault[] = ["crash-before", "crash-after-apply"];

interface Crash {
  readonly at: Effect;
  readonly fault: Fault;
}

/** Every crash that changes something: at each write of the home and each call to the cloud. */
function crashesIn(effects: readonly Effect[]): readonly Crash[] {
  return effects
    .filter(({ kind }) => kind !== "get" && kind !== "list")
    .flatMap((at) => CRASHES.map((fault) => ({ at, fault })));
}

async function crashedRun(world: SimulatedWorld, job: Job, crash: Crash): Promise<void> {
  const faultAt = ({ index }: Effect): Fault | null =>
    index === crash.at.index ? crash.fault : null;
  await runJob(world, world.start({ faultAt }), job);
}

/** The effects of a run to the end over a world that is left as it is. */
async function effectsOf(base: SimulatedWorld, job: Job): Promise<readonly Effect[]> {
  const world = await base.clone();
  const process = world.start();
  await runJob(world, process, job);
  return process.effects;
}

describe("a crash in the recovery of a crash, then one plain rerun", () => {
  for (const scenario of SCENARIOS) {
    it(`leaves nothing behind: ${scenario.name}`, { timeout: 120_000 }, async () => {
      const base = await worldBefore(scenario, smallApp);
      const job = scenario.job(smallApp);
      const problems: string[] = [];
      let tried = 0;
      for (const first of crashesIn(await effectsOf(base, job))) {
        const crashed = await base.clone();
        await crashedRun(crashed, job, first);
        for (const second of crashesIn(await effectsOf(crashed, job))) {
          tried += 1;
          const world = await crashed.clone();
          await crashedRun(world, job, second);
          const found = [...(await instantProblems(world))];
          const rerun = await runJob(world, world.start(), job);
          if (!isDone(rerun)) found.push(`the rerun ended with ${told(rerun)}`);
          found.push(...(await restProblems(world)));
          const where = `${first.fault} at ${first.at.index}, ${second.fault} at ${second.at.index}`;
          problems.push(...found.map((one) => `${where}: ${one}`));
        }
      }
      expect(problems).toEqual([]);
      expect(tried).toBeGreaterThan(100);
    });
  }
});
