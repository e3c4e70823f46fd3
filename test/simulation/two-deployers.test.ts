import { describe, expect, it } from "vitest";
import { simulatedApp, smallApp } from "../../src/testing/simulated-app.ts";
import { instantProblems, restProblems } from "../../src/testing/simulated-checks.ts";
import { DEPLOY, type Ending, type Job, runJob } from "../../src/testing/simulated-deployer.ts";
import type { Effect } from "../../src/testing/simulated-process.ts";
import { SimulatedWorld } from "../../src/testing/simulated-world.ts";
import { isDone, told } from "./ending.ts";
import { SCENARIOS, worldBefore } from "./scenarios.ts";

const JOB: Job = { goals: simulatedApp("first"), policy: DEPLOY };

describe("two deploys at once", () => {
  it("let exactly one proceed, and the other says that the stage is locked", async () => {
    for (let lead = 0; lead < 12; lead += 1) {
      const world = new SimulatedWorld(lead + 1);
      const latencyMs = (): number => 10;
      const first = runJob(world, world.start({ latencyMs }), JOB);
      const late = world.start({ latencyMs });
      await late.clock.sleep(lead * 5);
      const endings = await Promise.all([first, runJob(world, late, JOB)]);
      expect(endings.map(codeOf).sort()).toEqual(["STAGE_LOCKED", "done"]);
      expect(await restProblems(world)).toEqual([]);
    }
  });

  it("let the second one wait with a lock timeout, and then find nothing to do", async () => {
    const world = new SimulatedWorld();
    const latencyMs = (): number => 10;
    const waiting = { ...JOB, lockTimeoutMs: 600_000 };
    const endings = await Promise.all([
      runJob(world, world.start({ latencyMs }), JOB),
      runJob(world, world.start({ latencyMs }), waiting),
    ]);
    expect(endings.map(codeOf)).toEqual(["done", "done"]);
    expect(world.cloud.mutations).toBe(JOB.goals.length);
  });
});

describe("a deploy that sleeps and is overtaken", () => {
  for (const scenario of SCENARIOS) {
    it(`changes nothing any more when it wakes: ${scenario.name}`, async () => {
      const base = await worldBefore(scenario, smallApp);
      const job = scenario.job(smallApp);
      const counting = await base.clone();
      const process = counting.start();
      await runJob(counting, process, job);
      const writes = process.effects.filter(({ kind }) => kind === "put");
      for (const write of writes) {
        const world = await base.clone();
        world.seesProcesses = false;
        const sleeper = await sleepingAt(world, job, write);
        const overtaker = { ...job, lockTimeoutMs: 600_000 };
        const second = await runJob(world, world.start(), overtaker);
        expect(told(second)).toMatch(/^(done|nothing to do)/);
        const { mutations } = world.cloud;
        const first = await sleeper.wake();
        expect([first.kind, codeOf(first)].join(" ")).toMatch(/FENCED|STAGE_LOCKED|done/);
        expect(world.cloud.mutations).toBe(mutations);
        expect(await instantProblems(world)).toEqual([]);
        expect(await restProblems(world)).toEqual([]);
      }
    });
  }
});

interface Sleeper {
  wake(): Promise<Ending>;
}

/** A job whose process has stopped just before one of its writes. */
async function sleepingAt(world: SimulatedWorld, job: Job, at: Effect): Promise<Sleeper> {
  let resume: () => void = () => {};
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const asleep = new Promise<void>((fallen) => {
    const process = world.start({
      faultAt: ({ index }) => {
        if (index === at.index) {
          process.pauseUntil(resumed);
          fallen();
        }
        return null;
      },
    });
    running = runJob(world, process, job);
  });
  await asleep;
  return {
    wake: () => {
      resume();
      return running;
    },
  };
}

let running: Promise<Ending> = Promise.resolve({ kind: "crashed" });

function codeOf(ending: Ending): string {
  if (ending.kind === "error") return ending.error.diagnostics[0].code;
  return isDone(ending) ? "done" : told(ending);
}
