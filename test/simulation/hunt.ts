import type { ResourceGoal } from "../../src/model/resource.ts";
import type { AppVersion } from "../../src/testing/simulated-app.ts";
import { instantProblems, restProblems } from "../../src/testing/simulated-checks.ts";
import { type Job, runJob } from "../../src/testing/simulated-deployer.ts";
import type { Effect, Fault } from "../../src/testing/simulated-process.ts";
import type { SimulatedWorld } from "../../src/testing/simulated-world.ts";
import { isDone, told } from "./ending.ts";
import { type Scenario, worldBefore } from "./scenarios.ts";

const STORE_FAULTS: readonly Fault[] = [
  "crash-before",
  "crash-after-apply",
  "crash-after-response",
  "lost-response",
  "disk-full",
];
const CLOUD_FAULTS: readonly Fault[] = [
  "crash-before",
  "crash-after-apply",
  "crash-after-response",
  "lost-response",
  "error-after-apply",
  "error-before",
  "throttle",
  "hang",
];
const READ_FAULTS: readonly Fault[] = ["crash-before", "lost-response", "throttle"];

/** The faults that mean something for an effect. Reads of the home change nothing, so only the cloud's count. */
function faultsFor(effect: Effect): readonly Fault[] {
  switch (effect.kind) {
    case "put":
      return STORE_FAULTS;
    case "get":
    case "list":
      return [];
    case "read":
      return READ_FAULTS;
    default:
      return CLOUD_FAULTS;
  }
}

async function tryFault(
  base: SimulatedWorld,
  job: Job,
  effect: Effect,
  fault: Fault,
): Promise<readonly string[]> {
  const world = await base.clone();
  const faultAt = (one: Effect): Fault | null => (one.index === effect.index ? fault : null);
  const disturbed = await runJob(world, world.start({ faultAt }), job);
  const instant = await instantProblems(world);
  if (instant.length > 0) return instant;
  const rerun = await runJob(world, world.start(), job);
  if (!isDone(rerun)) return [`after ${told(disturbed)} the rerun ended with ${told(rerun)}`];
  const rest = await restProblems(world);
  if (rest.length > 0) return rest;
  const { mutations } = world.cloud;
  const quiet = await runJob(world, world.start(), job);
  const isQuiet = quiet.kind === "ended" && quiet.result === null;
  return isQuiet && world.cloud.mutations === mutations ? [] : ["a third run was not quiet"];
}

/** What a hunt for broken promises has seen. */
export interface Hunt {
  readonly problems: readonly string[];
  readonly tried: number;
}

/**
 * Runs a scenario once for each effect and each fault that may meet it, and after each of these once more without.
 *
 * @param problemsMax how many problems are enough
 */
export async function huntSingleFaults(
  scenario: Scenario,
  app: (version: AppVersion) => readonly ResourceGoal[],
  tamper: Job["tamper"] = {},
  problemsMax = Number.POSITIVE_INFINITY,
): Promise<Hunt> {
  const base = await worldBefore(scenario, app);
  const job = { ...scenario.job(app), tamper };
  const counting = await base.clone();
  const process = counting.start();
  const clean = await runJob(counting, process, job);
  const problems = [...(await restProblems(counting))];
  if (!isDone(clean)) problems.push(`without a fault: ${told(clean)}`);
  let tried = 0;
  for (const effect of process.effects) {
    for (const fault of faultsFor(effect)) {
      if (problems.length >= problemsMax) return { problems, tried };
      tried += 1;
      const found = await tryFault(base, job, effect, fault);
      const where = `${fault} at ${effect.index} ${effect.kind} ${effect.about}`;
      problems.push(...found.map((one) => `${where}: ${one}`));
    }
  }
  return { problems, tried };
}
