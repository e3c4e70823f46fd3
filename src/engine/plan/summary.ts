import type { Plan, PlanSummary, Step } from "../../model/plan.ts";
import { knownInputs } from "../interrupted-inputs.ts";

/** Counts what a plan does. A replacement counts once; `adopt` is an update, `detach` retains, `forget` deletes nothing. */
export function summarizePlan(plan: Plan): PlanSummary {
  return countSteps(plan.steps);
}

/** Whether there is nothing to do. */
export function isEmptyPlan(plan: Plan): boolean {
  return plan.steps.every((step) => step.action === "same");
}

/** The counts of some steps, for example those that succeeded. */
export function countSteps(steps: Iterable<Step>): PlanSummary {
  const counts = { create: 0, update: 0, replace: 0, delete: 0, retain: 0, same: 0 };
  for (const step of steps) {
    switch (step.action) {
      case "create":
        counts[step.replaces === null ? "create" : "replace"] += 1;
        break;
      case "adopt":
        counts.update += 1;
        break;
      case "delete":
        // A replacement is counted with its create; what an earlier run left over is counted here.
        if (step.reason !== "replaced" || step.prior.status === "deposed") counts.delete += 1;
        break;
      case "detach":
        counts.retain += 1;
        break;
      case "update":
        counts[isOnlyRecorded(step) ? "same" : "update"] += 1;
        break;
      case "same":
        counts.same += 1;
        break;
      case "rename":
      case "forget":
        break;
    }
  }
  return counts;
}

/** Whether an update only brings the record up to date, for example with another dependency. */
function isOnlyRecorded(step: Step & { readonly action: "update" | "adopt" }): boolean {
  return step.changes.length === 0 && knownInputs(step.prior.inputs).isCertain;
}
