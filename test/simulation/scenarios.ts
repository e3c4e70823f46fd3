import type { ResourceGoal } from "../../src/model/resource.ts";
import type { AppVersion } from "../../src/testing/simulated-app.ts";
import { DEPLOY, type Job, REMOVE, runJob } from "../../src/testing/simulated-deployer.ts";
import { SimulatedWorld } from "../../src/testing/simulated-world.ts";

/** A job over a world that an earlier, undisturbed deploy has made. */
export interface Scenario {
  readonly name: string;
  readonly before: AppVersion | null;
  readonly job: (app: (version: AppVersion) => readonly ResourceGoal[]) => Job;
}

const deployOf =
  (version: AppVersion): Scenario["job"] =>
  (app) => ({ goals: app(version), policy: DEPLOY });

export const SCENARIOS: readonly Scenario[] = [
  { name: "deploy", before: null, job: deployOf("first") },
  { name: "update", before: "first", job: deployOf("updated") },
  { name: "replace", before: "first", job: deployOf("replaced") },
  { name: "reduce", before: "first", job: deployOf("reduced") },
  { name: "remove", before: "first", job: () => ({ goals: [], policy: REMOVE }) },
];

/** The world in which a scenario begins. */
export async function worldBefore(
  scenario: Scenario,
  app: (version: AppVersion) => readonly ResourceGoal[],
): Promise<SimulatedWorld> {
  const world = new SimulatedWorld();
  if (scenario.before === null) return world;
  const job = { goals: app(scenario.before), policy: DEPLOY };
  const ending = await runJob(world, world.start(), job);
  if (ending.kind !== "ended" || ending.result?.status !== "done") {
    throw new Error(`the deploy before ${scenario.name} ${JSON.stringify(ending)}`);
  }
  return world;
}
