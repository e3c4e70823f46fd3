import type { JsonObject } from "../../model/json.ts";
import type { Change } from "../../model/plan.ts";
import type { ResourceGoal, ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import type { ResourceHandler } from "../handler.ts";
import { handlerOf } from "../handler-of.ts";
import { knownInputs } from "../interrupted-inputs.ts";
import { physicalName } from "../physical-name.ts";
import { type Difference, differences } from "../values/differences.ts";
import { clearForm, plannedForm } from "../values/render.ts";
import { type Evaluation, resolveInputs } from "../values/resolve.ts";
import { unknownIn } from "../values/resolved.ts";
import { sameAsStored } from "../values/same-as-stored.ts";
import { type Draft, stepId } from "./draft.ts";
import { isGuarded } from "./guards.ts";
import { createdOutputs, unchangedOutputs, updatedOutputs } from "./planned-outputs.ts";
import { nextGeneration } from "./state-index.ts";

/** One goal and what its steps need. */
interface Place {
  readonly goal: ResourceGoal;
  readonly handler: ResourceHandler;
  readonly dependsOn: readonly Urn[];
  readonly evaluation: Evaluation;
  readonly after: readonly string[];
}

/** What changes for a goal, as the plan will show it. */
interface Changed {
  readonly changes: readonly Change[];
  /** The inputs in the form of plans. */
  readonly inputs: JsonObject;
  /** An interrupted create made it, with other inputs: nothing tells what could be changed in place. */
  readonly isOtherCreate: boolean;
}

/** Adds the steps that make one goal true. Its dependencies must have been planned before. */
export function planGoal(draft: Draft, urn: Urn): void {
  const place = placeOf(draft, urn);
  const prior = draft.index.current.get(urn);
  if (prior === undefined) addCreate(draft, place, null, changesOf(draft, place, null));
  else if (isSame(place, prior)) addSame(draft, place, prior);
  else planChanged(draft, place, prior);
}

function placeOf(draft: Draft, urn: Urn): Place {
  const { graph, handlers, seal } = draft.request;
  const goal = graph.goals.get(urn);
  if (goal === undefined) throw new Error(`${urn} is ordered but is no goal`);
  const dependsOn = graph.dependencies.get(urn) ?? [];
  return {
    goal,
    handler: handlerOf(handlers, goal.type),
    dependsOn,
    evaluation: { owner: urn, seal, lookup: draft.lookup },
    after: dependsOn.map((dependency) => draft.settledBy.get(dependency) ?? dependency),
  };
}

function isSame(place: Place, prior: ResourceState): boolean {
  return (
    prior.status === "live" &&
    prior.inputs !== null &&
    isSameRecord(place, prior) &&
    sameAsStored(place.goal.inputs, prior.inputs, place.evaluation)
  );
}

/** Whether the record names the goal and its dependencies as the config does now. */
function isSameRecord({ goal, dependsOn }: Place, prior: ResourceState): boolean {
  return (
    prior.urn === goal.urn &&
    prior.component === goal.component &&
    prior.name === goal.name &&
    prior.dependsOn.length === dependsOn.length &&
    prior.dependsOn.every((urn, index) => urn === dependsOn[index])
  );
}

function planChanged(draft: Draft, place: Place, prior: ResourceState): void {
  const changed = changesOf(draft, place, prior);
  const isForced = changed.changes.some((change) => change.forcesReplace);
  if (prior.status === "tainted" || isForced || changed.isOtherCreate) {
    if (isGuardedHere(draft, place, prior)) draft.refused.add(place.goal.component);
    draft.replaced.push(prior);
    addCreate(draft, place, prior, changed);
  } else {
    const action = prior.status === "retained" ? "adopt" : "update";
    addUpdate(draft, place, { action, prior, changed });
  }
}

function isGuardedHere(draft: Draft, place: Place, prior: ResourceState): boolean {
  const { snapshot, policy } = draft.request;
  const state = { ...prior, component: place.goal.component };
  return isGuarded(state, place.handler, snapshot, policy);
}

function changesOf(draft: Draft, place: Place, prior: ResourceState | null): Changed {
  const { seal } = draft.request;
  const resolved = resolveInputs(place.goal.inputs, place.evaluation);
  const inputs = plannedForm(resolved, seal);
  const { known, createdWith } = knownInputs(prior?.inputs ?? null);
  const found = differences(known, resolved, seal);
  const forcing = forcingKeys(place.handler, known, found, inputs);
  const changes = found.map(({ path, key, before, after }): Change => {
    return { path, before, after, forcesReplace: forcing.has(key) };
  });
  const isOtherCreate =
    createdWith !== null &&
    (unknownIn(resolved) !== null || seal(clearForm(resolved)) !== createdWith) &&
    !(prior !== null && isGuardedHere(draft, place, prior));
  return { changes, inputs, isOtherCreate };
}

/**
 * Keys whose change forces a replacement. Inputs that are not known tell no change, and neither does a value that
 * may well turn out as it was.
 */
function forcingKeys(
  handler: ResourceHandler,
  known: JsonObject | null,
  found: readonly Difference[],
  inputs: JsonObject,
): ReadonlySet<string> {
  if (known === null) return new Set();
  const keys = new Set(found.filter((one) => !one.doubtful).map((one) => one.key));
  return new Set(keys.size === 0 ? [] : handler.replaces([...keys], known, inputs));
}

function addSame(draft: Draft, { goal, after }: Place, prior: ResourceState): void {
  const { generation } = prior;
  const id = stepId("same", goal.urn, generation);
  draft.steps.push({
    id,
    urn: goal.urn,
    generation,
    physicalName: prior.physicalName,
    after,
    action: "same",
    goal,
    prior,
  });
  draft.settledBy.set(goal.urn, id);
  draft.outputs.set(goal.urn, unchangedOutputs(prior));
}

function addUpdate(
  draft: Draft,
  place: Place,
  to: {
    readonly action: "update" | "adopt";
    readonly prior: ResourceState;
    readonly changed: Changed;
  },
): void {
  const { goal, handler } = place;
  const { action, prior, changed } = to;
  const { generation, physicalName: name } = prior;
  const id = stepId(action, goal.urn, generation);
  const step = { id, urn: goal.urn, generation, physicalName: name, after: place.after };
  draft.steps.push({ ...step, action, goal, prior, changes: changed.changes });
  draft.settledBy.set(goal.urn, id);
  draft.outputs.set(goal.urn, updatedOutputs(handler, prior, changed.inputs));
}

function addCreate(
  draft: Draft,
  place: Place,
  replaces: ResourceState | null,
  changed: Changed,
): void {
  const { goal, handler } = place;
  const { app, stage } = draft.request.snapshot;
  const generation = Math.max(
    nextGeneration(draft.index, goal.urn),
    (replaces?.generation ?? 0) + 1,
  );
  const { urn, name } = goal;
  const chosen = physicalName({ app, stage, urn, name, generation, naming: handler.naming });
  const id = stepId("create", urn, generation);
  const step = { id, urn, generation, physicalName: chosen, after: place.after };
  draft.steps.push({ ...step, action: "create", goal, replaces, changes: changed.changes });
  draft.settledBy.set(urn, id);
  draft.outputs.set(urn, createdOutputs(handler, chosen, changed.inputs));
}
