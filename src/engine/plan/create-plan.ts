import { type Diagnostic, EXIT } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Draft, PlanRequest } from "./draft.ts";
import { assertNotEmptied, assertRemovable, destroyRefused } from "./guards.ts";
import { planDepartures } from "./plan-departures.ts";
import { planGoal } from "./plan-goal.ts";
import { indexState } from "./state-index.ts";

/**
 * Decides everything that a deploy or a removal will do. Pure, deterministic and linear in resources and dependencies.
 * A removal is a plan over the empty graph.
 *
 * @throws DiagnosticError `STAGE_PROTECTED`, `DESTROY_REFUSED` (exit 5), `EMPTY_APP`, `TYPE_UNKNOWN`, `ALIAS_BLOCKED`
 * (exit 2), and whatever evaluating the inputs throws
 */
export function createPlan(request: PlanRequest): Plan {
  const { graph, snapshot, policy } = request;
  if (policy.mode === "remove") {
    if (graph.order.length > 0) throw new Error("a removal is planned over the empty graph");
    assertRemovable(snapshot, policy.protect);
  }
  assertNotEmptied(graph, snapshot, policy);
  const draft: Draft = {
    request,
    index: indexState(snapshot.resources),
    steps: [],
    settledBy: new Map(),
    outputs: new Map(),
    claimed: new Map(),
    replaced: [],
    refused: new Set(),
    warnings: openIntentWarnings(snapshot),
  };
  for (const urn of graph.order) planGoal(draft, urn);
  if (draft.refused.size > 0) throw destroyRefused([...draft.refused], policy);
  planDepartures(draft);
  return { serial: snapshot.serial, steps: draft.steps, warnings: draft.warnings };
}

function openIntentWarnings(snapshot: Snapshot): Diagnostic[] {
  const open = snapshot.openIntents.length;
  if (open === 0) return [];
  return [
    {
      severity: "warning",
      code: "INTENTS_OPEN",
      message: `${open} interrupted operations will be looked into before anything is changed`,
      why: "An earlier run ended before it could record how they came out, so this may not be the final plan.",
      exit: EXIT.done,
    },
  ];
}
