import type { JsonObject } from "../../model/json.ts";
import type { ResourceGoal } from "../../model/resource.ts";
import { outputUnknown, referenceUndeclared } from "../values/missing-output.ts";
import { clearForm, storedForm } from "../values/render.ts";
import { type Evaluation, resolveInputs } from "../values/resolve.ts";
import type { ResolvedObject } from "../values/resolved.ts";
import type { Run } from "./run.ts";

/** A goal's inputs with everything known. */
export interface GoalInputs {
  readonly resolved: ResolvedObject;
  /** For the call. Never stored, never printed. */
  readonly clear: JsonObject;
  readonly stored: JsonObject;
}

/** How refs are resolved while a plan is applied: everything a goal depends on is done, so all is known. */
export function evaluationFor(run: Run, goal: ResourceGoal): Evaluation {
  return {
    owner: goal.urn,
    seal: run.seal,
    lookup: (ref) => {
      const outputs = run.outputs.get(ref.urn);
      if (outputs === undefined) throw referenceUndeclared(ref, goal.urn);
      const value = Object.hasOwn(outputs, ref.output) ? outputs[ref.output] : undefined;
      if (value === undefined) throw outputUnknown(ref, goal.urn);
      return value;
    },
  };
}

/** @throws DiagnosticError when a callback throws or an output is missing */
export function resolveGoal(run: Run, goal: ResourceGoal): GoalInputs {
  const resolved = resolveInputs(goal.inputs, evaluationFor(run, goal));
  return { resolved, clear: clearForm(resolved), stored: storedForm(resolved, run.seal) };
}
