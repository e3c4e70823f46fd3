import { type ApplyResult, applyPlan } from "../engine/apply/apply-plan.ts";
import type { Limits } from "../engine/apply/limits.ts";
import type { RunEnvironment } from "../engine/apply/run.ts";
import type { Handlers } from "../engine/handler.ts";
import { isSameGround } from "../engine/plan/same-ground.ts";
import { isEmptyPlan, summarizePlan } from "../engine/plan/summary.ts";
import { settle } from "../engine/settle.ts";
import type { Seal } from "../engine/values/render.ts";
import type { Epoch, StageLog } from "../home/journal.ts";
import type { Plan } from "../model/plan.ts";
import type { LogRecord } from "../model/record.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { OperationContext } from "./context.ts";
import { releaseStage, stageMoving, TAKE_ATTEMPTS_MAX, takeStage } from "./take-stage.ts";

/** A change of a stage, decided anew for whatever state the stage is found in. */
export interface StageChange {
  /** The command, for the log: `deploy`. */
  readonly command: string;
  readonly lockTimeoutMs: number;
  readonly handlers: Handlers;
  /** The bounds of this cloud. */
  readonly limits: Partial<Limits>;
  readonly seal: Seal;
  /** Goes on past what cannot be looked into, and past steps that fail, to those that wait for them. */
  readonly pastFailures?: boolean;
  /** Pure: what is to be done from this state. Refuses by throwing. */
  readonly plan: (snapshot: Snapshot) => Plan;
  /** Whether something is to be recorded although the plan is empty. Pure. */
  readonly mustRecord: (snapshot: Snapshot) => boolean;
  /** Records to append before apply and after it succeeded. Pure. */
  readonly before: (snapshot: Snapshot) => readonly LogRecord[];
  readonly after: (snapshot: Snapshot) => readonly LogRecord[];
}

export interface StageChanged {
  readonly plan: Plan;
  /** Null when there was nothing to do; then nothing was appended either. */
  readonly applied: ApplyResult | null;
  readonly snapshot: Snapshot;
}

/**
 * The one way in which a stage is changed: plan without a lock; where there is something to do take the stage, settle
 * what was interrupted, apply, and let the stage go.
 *
 * @throws DiagnosticError `STAGE_LOCKED`, `STAGE_MOVING`, `FENCED` (exit 3), `HOME_*` (exit 6), and what planning throws
 */
export async function changeStage(
  log: StageLog,
  change: StageChange,
  context: OperationContext,
): Promise<StageChanged> {
  for (let attempt = 1; attempt <= TAKE_ATTEMPTS_MAX; attempt += 1) {
    const { snapshot, head, notes } = await log.read();
    for (const message of notes) context.emit({ kind: "progress", phase: "home", message });
    const plan = change.plan(snapshot);
    const idle = snapshot.openIntents.length === 0 && isEmptyPlan(plan);
    if (idle && head.holder === null && !change.mustRecord(snapshot)) {
      context.emit({ kind: "planned", summary: summarizePlan(plan) });
      return { plan, applied: null, snapshot };
    }
    const epoch = await takeStage(log, head, change, context);
    if (epoch === "moved") continue;
    const changed = await holdStage(epoch, { change, plan, snapshot }, context);
    await releaseStage(log, epoch, changed.applied.status, context);
    return changed;
  }
  throw stageMoving(log);
}

/** A change with what was planned before the stage was taken. */
interface Planned {
  readonly change: StageChange;
  readonly plan: Plan;
  /** What it was planned from. */
  readonly snapshot: Snapshot;
}

async function holdStage(
  epoch: Epoch,
  planned: Planned,
  context: OperationContext,
): Promise<StageChanged & { readonly applied: ApplyResult }> {
  try {
    return await changeHeldStage(epoch, planned, context);
  } catch (error) {
    // A fenced or full log refuses this too; what made it so is the error that counts.
    await epoch.end("failed").catch(() => undefined);
    throw error;
  }
}

async function changeHeldStage(
  epoch: Epoch,
  planned: Planned,
  context: OperationContext,
): Promise<StageChanged & { readonly applied: ApplyResult }> {
  const { change } = planned;
  const environment: RunEnvironment = {
    epoch,
    handlers: change.handlers,
    limits: change.limits,
    seal: change.seal,
    clock: context.clock,
    random: context.random,
    emit: context.emit,
    signal: context.signal,
    pastFailures: change.pastFailures === true,
  };
  const { unread } = await settle(environment);
  await appendAny(epoch, change.before(epoch.snapshot()));
  const plan = planAgain(planned, epoch.snapshot());
  context.emit({ kind: "planned", summary: summarizePlan(plan) });
  for (const diagnostic of plan.warnings) context.emit({ kind: "diagnostic", diagnostic });
  const result = await applyPlan(plan, environment);
  const isWhole = unread.length === 0 || result.status !== "done";
  const applied: ApplyResult = isWhole ? result : { ...result, status: "failed" };
  if (applied.status === "done") await appendAny(epoch, change.after(epoch.snapshot()));
  return { plan, applied, snapshot: epoch.snapshot() };
}

/** The plan from the state that is held. Where settling and what stands in front changed nothing it is the same one. */
function planAgain({ change, plan, snapshot }: Planned, held: Snapshot): Plan {
  return isSameGround(snapshot, held) ? { ...plan, serial: held.serial } : change.plan(held);
}

async function appendAny(epoch: Epoch, records: readonly LogRecord[]): Promise<void> {
  if (records.length > 0) await epoch.append(records);
}
