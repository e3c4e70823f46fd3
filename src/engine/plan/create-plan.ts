import { type Diagnostic, EXIT } from "../../model/diagnostic.ts";
import type { Plan, Step } from "../../model/plan.ts";
import type { ResourceGoal, ResourceState } from "../../model/resource.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { moveRecord } from "../move-record.ts";
import { type Draft, type PlanRequest, stepId } from "./draft.ts";
import { findRenames } from "./find-renames.ts";
import { assertNotEmptied, assertRemovable, destroyRefused } from "./guards.ts";
import { planDepartures } from "./plan-departures.ts";
import { planGoal } from "./plan-goal.ts";
import { lookUp } from "./planned-outputs.ts";
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
  const draft = newDraft(request);
  for (const urn of graph.order) planGoal(draft, urn);
  if (draft.refused.size > 0) throw destroyRefused([...draft.refused], policy);
  planDepartures(draft);
  return { serial: snapshot.serial, steps: draft.steps, warnings: draft.warnings };
}

/** Renames come first, so that everything else is planned over the records as they are after them. */
function newDraft(request: PlanRequest): Draft {
  const { graph, snapshot } = request;
  const before = indexState(snapshot.resources);
  const renames = findRenames(graph, before);
  const resources =
    renames.size === 0
      ? snapshot.resources
      : snapshot.resources.map((state) => moveRecord(state, renames));
  const outputs: Draft["outputs"] = new Map();
  return {
    request: { ...request, snapshot: { ...snapshot, resources } },
    index: renames.size === 0 ? before : indexState(resources),
    steps: [...renames].flatMap(([old, goal]) => renameStep(before.current.get(old), goal)),
    settledBy: new Map(),
    outputs,
    lookup: (ref, owner) => lookUp(outputs, ref, owner),
    replaced: [],
    refused: new Set(),
    warnings: openIntentWarnings(snapshot),
  };
}

function renameStep(prior: ResourceState | undefined, goal: ResourceGoal): readonly Step[] {
  if (prior === undefined) return [];
  const { generation, physicalName } = prior;
  const { urn } = goal;
  const id = stepId("rename", urn, generation);
  return [{ id, urn, generation, physicalName, after: [], action: "rename", goal, prior }];
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
