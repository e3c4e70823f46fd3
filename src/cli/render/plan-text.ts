import type { StepAction } from "../../model/event.ts";
import type { Change, Plan, PlanSummary, Step } from "../../model/plan.ts";
import { parseUrn } from "../../model/urn.ts";
import { ACTIONS, paintOf } from "./action-text.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";
import { planSummaryText } from "./summary-text.ts";
import { valueText } from "./value-text.ts";

/** What a step is told as: a create that makes the next generation is a replacement. */
export function actionOf(step: Step): StepAction {
  return step.action === "create" && step.replaces !== null ? "replace" : step.action;
}

/**
 * A plan, property by property:
 *
 *     + Api/GET /notes  local:function
 *         handler: "index.list"
 *     ! Notes  local:table (replace)
 *         hashKey: "id" -> "key" (forces replacement)
 *
 *     1 to create, 1 to replace
 */
export function planText(plan: Plan, summary: PlanSummary, style: Style): string {
  const steps = plan.steps.filter(isTold).map((step) => stepText(step, style));
  const end = style.bold(planSummaryText(summary));
  return `${[...steps, ...(steps.length === 0 ? [] : [""]), end].join("\n")}\n`;
}

/** The end of an old generation belongs to its replacement; what stays the same is only counted. */
function isTold(step: Step): boolean {
  return step.action !== "same" && !(step.action === "delete" && step.reason === "replaced");
}

function stepText(step: Step, style: Style): string {
  const action = actionOf(step);
  const { symbol } = ACTIONS[action];
  const { type, name } = parseUrn(step.urn);
  const note = noteOf(step, action);
  const head = `${paintOf(style, action)(symbol)} ${style.bold(safeLine(name))}  ${style.dim(safeLine(type))}`;
  return [note === "" ? head : `${head} ${note}`, ...propertiesOf(step, style)].join("\n");
}

function noteOf(step: Step, action: StepAction): string {
  switch (step.action) {
    case "delete":
      return step.reason === "stage-removed" ? "(removed with its stage)" : "(not in the config)";
    case "detach":
    case "forget":
      return `(${ACTIONS[action].done}: ${safeLine(step.reason)})`;
    case "rename":
      return `(was ${safeLine(parseUrn(step.prior.urn).name)})`;
    case "adopt":
      return "(retained from before, taken back)";
    default:
      return action === "replace" ? "(replace)" : "";
  }
}

function propertiesOf(step: Step, style: Style): readonly string[] {
  if (!("changes" in step)) return [];
  const isNew = step.action === "create" && step.replaces === null;
  if (isNew && step.changes.length === 0) {
    return Object.entries(step.goal.inputs).map(
      ([key, value]) => `    ${safeLine(key)}: ${valueText(value)}`,
    );
  }
  return step.changes.map((change) => changeText(change, isNew, style));
}

function changeText(change: Change, isNew: boolean, style: Style): string {
  const after = valueText(change.after);
  const path = safeLine(change.path);
  if (isNew) return `    ${path}: ${after}`;
  const before = valueText(change.before);
  // Two sensitive values look the same; that they differ is all that may be told.
  const values = before === after ? `${after} (changed)` : `${before} -> ${after}`;
  const forces = change.forcesReplace ? ` ${style.magenta("(forces replacement)")}` : "";
  return `    ${path}: ${values}${forces}`;
}
