import { describe, expect, it } from "vitest";
import type { ResourceGoal } from "../../src/model/resource.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { instantProblems, restProblems } from "../../src/testing/simulated-checks.ts";
import { DEPLOY, type Job, REMOVE, runJob } from "../../src/testing/simulated-deployer.ts";
import { SimulatedWorld } from "../../src/testing/simulated-world.ts";
import { isDone, told } from "./ending.ts";
import { type RandomStage, randomApp, randomFaults, randomStage } from "./random-stage.ts";

const SEEDS = Number(process.env["SCRIM_SIM_SEEDS"] ?? "1000");
/** Where to begin; set it to a seed that failed to see that one again. */
const FIRST_SEED = Number(process.env["SCRIM_SIM_FIRST_SEED"] ?? "1");

/** A few versions deployed one after the other under faults, then the last one without, then a removal. */
async function live(seed: number): Promise<readonly string[]> {
  const random = new SeededRandom(seed);
  const world = new SimulatedWorld(seed * 1_000);
  const stage = randomStage(random);
  const policy = { ...DEPLOY, removal: stage.removal };
  world.cloud.isKept = (thing) => stage.removal !== "remove" && thing.type.data;
  let goals: readonly ResourceGoal[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    goals = randomApp(random, stage);
    const found = await disturbedTurn(world, random, { goals, policy });
    if (found.length > 0) return found.map((one) => `turn ${turn}: ${one}`);
  }
  return [
    ...(await restAfter(world, { goals, policy })),
    ...(await restAfter(world, { goals: [], policy: { ...REMOVE, removal: stage.removal } })),
    ...(await leftProblems(world, stage)),
  ];
}

/** One or two processes at a time. A refusal is as good as a success, as long as nothing is broken by it. */
async function disturbedTurn(
  world: SimulatedWorld,
  random: SeededRandom,
  job: Job,
): Promise<readonly string[]> {
  const rate = random.pick([0, 0.01, 0.05, 0.15]);
  const start = () =>
    world.start({
      faultAt: randomFaults(random, rate),
      latencyMs: () => random.below(40),
      clockOffsetMs: (random.below(3) - 1) * 600_000,
    });
  const jobs = [runJob(world, start(), job)];
  if (random.chance(0.3)) jobs.push(runJob(world, start(), { ...job, lockTimeoutMs: 5_000 }));
  await Promise.all(jobs);
  return instantProblems(world);
}

async function restAfter(world: SimulatedWorld, job: Job): Promise<readonly string[]> {
  const ending = await runJob(world, world.start(), job);
  if (!isDone(ending)) return [`the plain ${job.policy.mode} ended with ${told(ending)}`];
  const { mutations } = world.cloud;
  await runJob(world, world.start(), job);
  const noise = world.cloud.mutations > mutations ? ["a repeat was not quiet"] : [];
  return [...noise, ...(await restProblems(world))];
}

/** After a removal only what is to be kept is left: data, and what that was made with. */
async function leftProblems(
  world: SimulatedWorld,
  { removal }: RandomStage,
): Promise<readonly string[]> {
  if (removal === "retain-all") return [];
  const { resources } = await world.snapshot();
  const kept = new Set(
    world.cloud.things.filter(({ type }) => type.data && removal === "retain").map(({ id }) => id),
  );
  const needed = resources.filter(({ id }) => kept.has(id));
  for (const state of needed) {
    kept.add(state.id);
    const used = resources.filter(({ urn, id }) => state.dependsOn.includes(urn) && !kept.has(id));
    needed.push(...used);
  }
  return world.cloud.things
    .filter(({ id }) => !kept.has(id))
    .map(({ id }) => `${id} outlived the removal`);
}

describe("random stages under random faults", () => {
  it(`hold every promise for ${SEEDS} seeds`, { timeout: 60_000 + SEEDS * 200 }, async () => {
    const failures: string[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && failures.length < 5; seed += 1) {
      const problems = await live(seed).catch((error: unknown) => [String(error)]);
      if (problems.length > 0)
        failures.push(`SCRIM_SIM_FIRST_SEED=${seed}: ${problems.join("; ")}`);
    }
    expect(failures).toEqual([]);
  });
});
