import { type Diagnostic, DiagnosticError } from "../../model/diagnostic.ts";
import type { StepAction } from "../../model/event.ts";
import type { Plan, PlanSummary, Step } from "../../model/plan.ts";
import type { Urn } from "../../model/urn.ts";
import { countSteps } from "../plan/summary.ts";
import { assertCurrent } from "./assert-current.ts";
import { createStep } from "./create-step.ts";
import { deleteStep } from "./delete-step.ts";
import { recordStep, renameRecords } from "./record-step.ts";
import { newRun, type Run, type RunEnvironment, record } from "./run.ts";
import { runSteps } from "./schedule.ts";
import { DONE, type StepResult } from "./step-result.ts";
import { sameStep, updateStep } from "./update-step.ts";

export interface FailedStep {
  readonly step: Step;
  readonly diagnostic: Diagnostic;
}

export interface SkippedStep {
  readonly step: Step;
  /** The resource whose failure is the reason. */
  readonly because: Urn;
}

export interface ApplyResult {
  readonly status: "done" | "failed" | "interrupted";
  /** What was really done; an update that turned out to change nothing counts as same. */
  readonly counts: PlanSummary;
  readonly failed: readonly FailedStep[];
  readonly skipped: readonly SkippedStep[];
  /** Left out because of an interruption. */
  readonly notStarted: readonly Step[];
}

/**
 * Does what the plan says: the only thing that changes the world. The plan must have been made from the state that the
 * epoch began with, intents settled; once an epoch.
 *
 * @throws DiagnosticError `PLAN_STALE` before anything is changed; `FENCED`, `HOME_FULL`, ... of the journal, once
 * everything in flight has ended. A step that fails is told in the result instead.
 */
export async function applyPlan(plan: Plan, environment: RunEnvironment): Promise<ApplyResult> {
  const snapshot = environment.epoch.snapshot();
  assertCurrent(plan, snapshot);
  const run = newRun(environment);
  const renames = renameRecords(plan, snapshot);
  if (renames.length > 0) await record(run, renames);
  const done: Step[] = [];
  const failed: FailedStep[] = [];
  const skipped: SkippedStep[] = [];
  const notStarted = await runSteps(plan.steps, {
    concurrency: run.world.limits.concurrency,
    pastFailures: environment.pastFailures === true,
    mayStart: () => !environment.signal.aborted && !run.world.cut.aborted && run.halted === null,
    run: async (step) => {
      const result = await reportedStep(run, step);
      if (result.kind === "failed") failed.push({ step, diagnostic: result.diagnostic });
      else done.push(result.kind === "unchanged" ? asSame(step) : step);
      return result.kind !== "failed";
    },
    skip: (step, because) => {
      skipped.push({ step, because });
      run.emit({ kind: "step-skipped", ...labelOf(step), because });
    },
  });
  run.world.cut.throwIfAborted();
  const interrupted =
    environment.signal.aborted &&
    (notStarted.length > 0 || failed.some(({ diagnostic }) => diagnostic.code === "INTERRUPTED"));
  const status = interrupted ? "interrupted" : failed.length > 0 ? "failed" : "done";
  return { status, counts: countSteps(done), failed, skipped, notStarted };
}

async function reportedStep(run: Run, step: Step): Promise<StepResult> {
  const { clock } = run.world;
  const startedMs = clock.monotonicMs();
  const label = labelOf(step);
  if (step.action !== "same") run.emit({ kind: "step-started", ...label });
  const result = await attemptStep(run, step);
  const elapsedMs = clock.monotonicMs() - startedMs;
  if (result.kind === "failed") {
    run.emit({ kind: "step-failed", ...label, diagnostic: result.diagnostic });
  } else if (step.action !== "same") {
    const action = result.kind === "unchanged" ? "same" : label.action;
    run.emit({ kind: "step-done", ...label, action, elapsedMs });
  }
  return result;
}

/** A problem of the step's own fails the step; a refusal by the journal, or a bug, ends the run. */
async function attemptStep(run: Run, step: Step): Promise<StepResult> {
  try {
    return await perform(run, step);
  } catch (error) {
    if (run.halted !== null || !(error instanceof DiagnosticError)) throw error;
    return { kind: "failed", diagnostic: error.diagnostics[0] };
  }
}

async function perform(run: Run, step: Step): Promise<StepResult> {
  switch (step.action) {
    case "same":
      return sameStep(run, step);
    case "create":
      return createStep(run, step);
    case "update":
    case "adopt":
      return updateStep(run, step);
    case "delete":
      return deleteStep(run, step);
    case "rename":
      // Done before everything else, all at once.
      return DONE;
    case "detach":
    case "forget":
      return recordStep(run, step);
  }
}

interface StepLabel {
  readonly urn: Urn;
  readonly component: string;
  readonly name: string;
  readonly type: string;
  readonly action: StepAction;
}

function labelOf(step: Step): StepLabel {
  const { component, name, type } = "goal" in step ? step.goal : step.prior;
  const replaces = step.action === "create" && step.replaces !== null;
  return { urn: step.urn, component, name, type, action: replaces ? "replace" : step.action };
}

/** How an update that changed nothing is counted. */
function asSame(step: Step): Step {
  if (step.action !== "update" && step.action !== "adopt") return step;
  const { id, urn, generation, physicalName, after, goal, prior } = step;
  return { id, urn, generation, physicalName, after, action: "same", goal, prior };
}
