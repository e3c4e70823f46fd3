import { type ApplyResult, applyPlan } from "../engine/apply/apply-plan.ts";
import type { Limits } from "../engine/apply/limits.ts";
import type { RunEnvironment } from "../engine/apply/run.ts";
import { buildGraph, EMPTY_GRAPH } from "../engine/graph/graph.ts";
import type { Handlers } from "../engine/handler.ts";
import { createPlan } from "../engine/plan/create-plan.ts";
import type { Policy } from "../engine/plan/policy.ts";
import { isEmptyPlan } from "../engine/plan/summary.ts";
import { settle } from "../engine/settle.ts";
import type { Seal } from "../engine/values/render.ts";
import type { Epoch } from "../home/journal.ts";
import { DiagnosticError, fail } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { ResourceGoal } from "../model/resource.ts";
import type { Snapshot, StageFacts } from "../model/snapshot.ts";
import { simulatedHandlers } from "./simulated-handlers.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { type SimulatedWorld, simulatedSeal } from "./simulated-world.ts";

export const DEPLOY: Policy = {
  mode: "deploy",
  removal: "remove",
  protect: false,
  allowDestroy: new Set(),
  allowEmpty: false,
};

export const REMOVE: Policy = { ...DEPLOY, mode: "remove" };

/** One deploy or removal, and how it is tampered with. */
export interface Job {
  readonly goals: readonly ResourceGoal[];
  readonly policy: Policy;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  readonly lockTimeoutMs?: number;
  readonly pastFailures?: boolean;
  readonly tamper?: Tamper;
}

/** How the tool is broken on purpose, to prove that the checks notice. */
export interface Tamper {
  readonly epoch?: (epoch: Epoch) => Epoch;
  readonly handlers?: (handlers: Handlers) => Handlers;
  readonly plan?: (plan: Plan) => Plan;
  readonly seal?: Seal;
}

/** How a job ended. A crash leaves nothing but what is in the world. */
export type Ending =
  | { readonly kind: "crashed" }
  | { readonly kind: "error"; readonly error: DiagnosticError }
  | { readonly kind: "ended"; readonly plan: Plan; readonly result: ApplyResult | null };

/** Runs a job in a process until it ends or the process crashes. Bugs of ours are thrown. */
export async function runJob(
  world: SimulatedWorld,
  process: SimulatedProcess,
  job: Job,
): Promise<Ending> {
  const work = attempt(world, process, job);
  const crashed = process.crashed.then((): Ending => ({ kind: "crashed" }));
  try {
    return await Promise.race([crashed, work, world.time.runaway]);
  } finally {
    work.catch(() => {});
    process.kill();
  }
}

async function attempt(
  world: SimulatedWorld,
  process: SimulatedProcess,
  job: Job,
): Promise<Ending> {
  try {
    return await deploy(world, process, job);
  } catch (error) {
    if (error instanceof DiagnosticError) return { kind: "error", error };
    throw error;
  }
}

/** What the deploy and remove operations do, without config and cloud: look, take the stage, settle, plan, apply. */
async function deploy(world: SimulatedWorld, process: SimulatedProcess, job: Job): Promise<Ending> {
  const log = world.stageLog(process);
  const calls = simulatedHandlers(world.cloud, process);
  const handlers = job.tamper?.handlers?.(calls) ?? calls;
  const signal = job.signal ?? new AbortController().signal;
  const planOver = (snapshot: Snapshot): Plan => planFor(job, snapshot, handlers);
  for (let tries = 0; tries < 3; tries += 1) {
    const { snapshot, head } = await log.read();
    const first = planOver(snapshot);
    const isIdle = head.holder === null && snapshot.openIntents.length === 0;
    if (isIdle && isEmptyPlan(first) && sameFacts(snapshot.facts, job)) {
      return { kind: "ended", plan: first, result: null };
    }
    const begun = await log.begin(head, {
      owner: process.owner,
      command: job.policy.mode,
      version: "0.0.0",
      lockTimeoutMs: job.lockTimeoutMs ?? 0,
      signal,
    });
    if (begun === "moved") continue;
    const epoch = job.tamper?.epoch?.(begun) ?? begun;
    const { clock, random } = process;
    const environment = {
      ...{ epoch, handlers, clock, random, signal },
      seal: job.tamper?.seal ?? simulatedSeal,
      emit: (event: (typeof world.events)[number]): void => void world.events.push(event),
      ...(job.limits === undefined ? {} : { limits: job.limits }),
      pastFailures: job.pastFailures === true,
    };
    return await held(environment, job, planOver);
  }
  throw fail("STAGE_BUSY", "the stage was taken three times", { exit: 3 });
}

async function held(
  environment: RunEnvironment,
  job: Job,
  planOver: (snapshot: Snapshot) => Plan,
): Promise<Ending> {
  const { epoch } = environment;
  try {
    await settle(environment);
    const { facts } = epoch.snapshot();
    const plan = planOver(epoch.snapshot());
    // Protection is raised before anything is done and lowered after all is done: a crash never leaves less of it.
    if (!sameFacts(facts, job)) await recordFacts(epoch, job, facts?.protect ?? false);
    const result = await applyPlan(plan, environment);
    if (result.status === "done" && !sameFacts(epoch.snapshot().facts, job)) {
      await recordFacts(epoch, job, false);
    }
    await epoch.end(result.status);
    return { kind: "ended", plan, result };
  } catch (error) {
    if (!epoch.signal.aborted) await epoch.end("failed");
    throw error;
  }
}

function planFor(job: Job, snapshot: Snapshot, handlers: Handlers): Plan {
  const { policy } = job;
  const graph = policy.mode === "remove" ? EMPTY_GRAPH : buildGraph(job.goals);
  const seal = job.tamper?.seal ?? simulatedSeal;
  const plan = createPlan({ graph, snapshot, handlers, policy, seal });
  return job.tamper?.plan?.(plan) ?? plan;
}

function sameFacts(facts: StageFacts | null, { policy }: Job): boolean {
  if (policy.mode === "remove") return true;
  return facts?.removal === policy.removal && facts.protect === policy.protect;
}

async function recordFacts(epoch: Epoch, { policy }: Job, isProtected: boolean): Promise<void> {
  const facts: StageFacts = {
    identity: { cloud: "sim", account: "1", region: "r" },
    removal: policy.removal,
    protect: policy.protect || isProtected,
    outputs: {},
    secrets: null,
  };
  await epoch.append([{ kind: "facts", facts }]);
}
