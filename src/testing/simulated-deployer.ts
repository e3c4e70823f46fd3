import { type ApplyResult, applyPlan } from "../engine/apply/apply-plan.ts";
import type { Limits } from "../engine/apply/limits.ts";
import { buildGraph, EMPTY_GRAPH } from "../engine/graph/graph.ts";
import type { Handlers } from "../engine/handler.ts";
import { createPlan } from "../engine/plan/create-plan.ts";
import type { Policy } from "../engine/plan/policy.ts";
import { isEmptyPlan } from "../engine/plan/summary.ts";
import { settle } from "../engine/settle.ts";
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
  /** For proving that the checks notice: a broken epoch, or broken handlers. */
  readonly breakEpoch?: (epoch: Epoch) => Epoch;
  readonly breakHandlers?: (handlers: Handlers) => Handlers;
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
  const handlers = job.breakHandlers?.(calls) ?? calls;
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
    const epoch = job.breakEpoch?.(begun) ?? begun;
    if (!sameFacts(snapshot.facts, job)) {
      await epoch.append([{ kind: "facts", facts: factsOf(job) }]);
    }
    const { clock, random } = process;
    const environment = {
      ...{ epoch, handlers, seal: simulatedSeal, clock, random, signal },
      emit: (event: (typeof world.events)[number]): void => void world.events.push(event),
      ...(job.limits === undefined ? {} : { limits: job.limits }),
    };
    return await held(environment, planOver);
  }
  throw fail("STAGE_BUSY", "the stage was taken three times", { exit: 3 });
}

async function held(
  environment: Parameters<typeof applyPlan>[1],
  planOver: (snapshot: Snapshot) => Plan,
): Promise<Ending> {
  const { epoch } = environment;
  try {
    await settle(environment);
    const plan = planOver(epoch.snapshot());
    const result = await applyPlan(plan, environment);
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
  return createPlan({ graph, snapshot, handlers, policy, seal: simulatedSeal });
}

function sameFacts(facts: StageFacts | null, { policy }: Job): boolean {
  if (policy.mode === "remove") return true;
  return facts?.removal === policy.removal && facts.protect === policy.protect;
}

function factsOf({ policy }: Job): StageFacts {
  return {
    identity: { cloud: "sim", account: "1", region: "r" },
    removal: policy.removal,
    protect: policy.protect,
    outputs: {},
    secrets: null,
  };
}
