import type { LogEntry } from "../../clouds/cloud.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { EngineEvent } from "../../model/event.ts";
import type { Change, Plan, PlanSummary, Step } from "../../model/plan.ts";
import { parseUrn } from "../../model/urn.ts";
import type { ProtectedRoute } from "../../operations/protected-routes.ts";
import { actionOf } from "./plan-text.ts";
import { isSealed, isUnknown } from "./value-text.ts";

/** Version of the shapes below; grows when a member changes its meaning or goes. */
const VERSION = 1;

/** Characters that JSON leaves as they are and a terminal acts on. */
const ACTING = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * One document on one line. Sensitive values are `{"sensitive":true}`, unknown ones `{"unknown":true}`.
 *
 * @param body JSON, except that sealed values may stand in it
 */
export function jsonDocument(body: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify({ version: VERSION, ...body }, (_, value: unknown) => {
    if (isSealed(value)) return { sensitive: true };
    return isUnknown(value) ? { unknown: true } : value;
  });
  return `${escaped(text)}\n`;
}

/** A document over several lines, with sealed values as they are recorded. */
export function prettyJson(body: Readonly<Record<string, unknown>>): string {
  return `${escaped(JSON.stringify({ version: VERSION, ...body }, null, 2))}\n`;
}

function escaped(text: string): string {
  return text.replace(ACTING, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** What a command answers: its document, and what it warned of. */
export function jsonAnswer(
  body: Readonly<Record<string, unknown>>,
  warnings: readonly Diagnostic[],
): string {
  return jsonDocument({ ...body, warnings: warnings.map(problemOf) });
}

/** What a command ends with when it fails: the first problem, and all of them. */
export function jsonError(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.map(problemOf);
  return jsonDocument({ error: errors[0], errors });
}

/** One line of the stream that a working command writes. */
export function jsonEvent(event: EngineEvent): string {
  return "diagnostic" in event
    ? jsonDocument({ ...event, diagnostic: problemOf(event.diagnostic) })
    : jsonDocument({ ...event });
}

export function jsonPlan(
  plan: Plan,
  summary: PlanSummary,
  protectedRoutes: readonly ProtectedRoute[],
  warnings: readonly Diagnostic[],
): string {
  const steps = plan.steps.map(stepOf);
  const body = { serial: plan.serial, summary, steps, protectedRoutes };
  return jsonAnswer(body, [...warnings, ...plan.warnings]);
}

/** One line of `logs`. */
export function jsonLogEntry(entry: LogEntry): string {
  return jsonDocument({ ...entry });
}

function problemOf(diagnostic: Diagnostic): Diagnostic {
  const { severity, code, message, why, hint, source, exit } = diagnostic;
  return {
    severity,
    code,
    message,
    exit,
    ...(why !== undefined && { why }),
    ...(hint !== undefined && { hint }),
    ...(source !== undefined && { source }),
  };
}

function stepOf(step: Step): Readonly<Record<string, unknown>> {
  const { type, name } = parseUrn(step.urn);
  const component = "goal" in step ? step.goal.component : step.prior.component;
  const { urn, generation, physicalName } = step;
  return {
    action: actionOf(step),
    urn,
    type,
    name,
    component,
    generation,
    physicalName,
    ...("reason" in step && { reason: step.reason }),
    ...(step.action === "rename" && { from: step.prior.urn }),
    ...("changes" in step && { changes: step.changes.map(changeOf) }),
  };
}

/** Without a value where there is none: `undefined` is not JSON. */
function changeOf({ path, before, after, forcesReplace }: Change) {
  return { path, before: before ?? null, after: after ?? null, forcesReplace };
}
