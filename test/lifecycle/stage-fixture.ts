import type { ApplyResult } from "../../src/engine/apply/apply-plan.ts";
import type { Policy } from "../../src/engine/plan/policy.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { ResourceState } from "../../src/model/resource.ts";
import { type GoalSketch, simulatedGoals } from "../../src/testing/simulated-app.ts";
import { restProblems } from "../../src/testing/simulated-checks.ts";
import type { Thing } from "../../src/testing/simulated-cloud.ts";
import {
  DEPLOY,
  type Ending,
  type Job,
  REMOVE,
  runJob,
} from "../../src/testing/simulated-deployer.ts";
import type { ProcessOptions } from "../../src/testing/simulated-process.ts";
import { SimulatedWorld } from "../../src/testing/simulated-world.ts";

/** A stage in a simulated world, as one person works with it. */
export class StageFixture {
  readonly world = new SimulatedWorld();

  deploy(
    sketches: readonly GoalSketch[],
    policy: Partial<Policy> = {},
    rest: Partial<Job> & Pick<ProcessOptions, "faultAt"> = {},
  ): Promise<Ending> {
    const job = { ...rest, goals: simulatedGoals(sketches), policy: { ...DEPLOY, ...policy } };
    const { faultAt } = rest;
    return runJob(this.world, this.world.start(faultAt === undefined ? {} : { faultAt }), job);
  }

  remove(
    policy: Partial<Policy> = {},
    rest: Partial<Job> & Pick<ProcessOptions, "faultAt"> = {},
  ): Promise<Ending> {
    const job = { ...rest, goals: [], policy: { ...REMOVE, ...policy } };
    const { faultAt } = rest;
    return runJob(this.world, this.world.start(faultAt === undefined ? {} : { faultAt }), job);
  }

  async records(): Promise<readonly ResourceState[]> {
    return (await this.world.snapshot()).resources;
  }

  /** `name generation status` of every record. */
  async listing(): Promise<readonly string[]> {
    const records = await this.records();
    return records.map(({ name, generation, status }) => `${name} ${generation} ${status}`);
  }

  /** The one thing in the cloud with that name in its physical name or urn. */
  thing(name: string): Thing {
    const found = this.world.cloud.things.filter((one) =>
      one.tags["scrim:urn"].endsWith(`::${name}`),
    );
    if (found.length !== 1) throw new Error(`${found.length} things are called ${name}`);
    return found[0] as Thing;
  }

  /** What is wrong with a stage that should be at rest. */
  problems(): Promise<readonly string[]> {
    return restProblems(this.world);
  }
}

/** The plan of a job that ended. */
export function planOf(ending: Ending): Plan {
  if (ending.kind === "ended") return ending.plan;
  throw new Error(ending.kind === "error" ? ending.error.message : "it crashed");
}

/** The result of a job that applied something. */
export function resultOf(ending: Ending): ApplyResult {
  if (ending.kind === "ended" && ending.result !== null) return ending.result;
  throw new Error(ending.kind === "error" ? ending.error.message : `it ${ending.kind}`);
}

/** `action name` of every step, in the order of the plan. */
export function stepsOf(ending: Ending): readonly string[] {
  return planOf(ending).steps.map((step) => {
    const { name } = "goal" in step ? step.goal : step.prior;
    return `${step.action} ${name}`;
  });
}

/** The code and exit code of a refused job. */
export function refusalOf(ending: Ending): string {
  if (ending.kind !== "error") throw new Error("it was not refused");
  const { diagnostics, exit } = ending.error;
  return `${diagnostics.map(({ code }) => code).join(" ")} ${exit}`;
}

/** The codes of the steps that failed. */
export function failuresOf(ending: Ending): readonly string[] {
  return resultOf(ending).failed.map(({ diagnostic }) => diagnostic.code);
}
