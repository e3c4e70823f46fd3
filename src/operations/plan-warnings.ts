import { type Diagnostic, EXIT } from "../model/diagnostic.ts";
import type { Plan, Step } from "../model/plan.ts";

/** Plans tell what protects a route by this input, the Auth component's name, which a public route does not have. */
const AUTH_INPUT = "auth";
/** Every cloud's type of routes ends with this. */
const ROUTE_TYPE = /:route$/;

/** The plan with warnings of what its steps mean for who may call the app. Pure. */
export function withAccessWarnings(plan: Plan): Plan {
  const warnings = plan.steps.flatMap((step) => nowPublic(step) ?? []);
  return warnings.length === 0 ? plan : { ...plan, warnings: [...plan.warnings, ...warnings] };
}

function nowPublic(step: Step): Diagnostic | null {
  if (!("changes" in step) || !ROUTE_TYPE.test(step.goal.type)) return null;
  const change = step.changes.find(({ path }) => path === AUTH_INPUT);
  if (typeof change?.before !== "string" || (change.after ?? null) !== null) return null;
  return {
    severity: "warning",
    code: "ROUTE_NOW_PUBLIC",
    message: `Route ${step.goal.name} becomes PUBLIC: anyone will be able to call it`,
    why: `So far ${change.before} protects it, and the config does not name it there any more.`,
    hint: "Give the route its `auth` back if this is not meant.",
    exit: EXIT.done,
  };
}
