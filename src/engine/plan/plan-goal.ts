import { fail } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Change } from "../../model/plan.ts";
import type { ResourceGoal, ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import type { ResourceHandler } from "../handler.ts";
import { handlerOf } from "../handler-of.ts";
import { physicalName } from "../physical-name.ts";
import { renamedState } from "../renamed-state.ts";
import { type Difference, differences } from "../values/differences.ts";
import { plannedForm } from "../values/render.ts";
import { type Evaluation, resolveInputs } from "../values/resolve.ts";
import { sameAsStored } from "../values/same-as-stored.ts";
import { type Draft, stepId } from "./draft.ts";
import { isGuarded } from "./guards.ts";
import { createdOutputs, lookUp, unchangedOutputs, updatedOutputs } from "./planned-outputs.ts";
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
}

/** Adds the steps that make one goal true. Its dependencies must have been planned before. */
export function planGoal(draft: Draft, urn: Urn): void {
  const place = placeOf(draft, urn);
  const prior = findPrior(draft, place.goal);
  if (prior === undefined) {
    const changed = changesOf(draft, place, null);
    addCreate(draft, place, null, changed);
    return;
  }
  draft.claimed.set(prior, urn);
  if (isSame(place, prior)) addSame(draft, place, prior);
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
    evaluation: {
      owner: urn,
      seal,
      lookup: (ref) => {
        const outputs = draft.outputs.get(ref.urn);
        if (outputs === undefined) throw undeclared(urn, ref.urn);
        return lookUp(outputs, ref, urn);
      },
    },
    after: dependsOn.map((dependency) => draft.settledBy.get(dependency) ?? dependency),
  };
}

/** The record that is this goal's: its own, or the one under the first alias that no other goal owns. */
function findPrior(draft: Draft, goal: ResourceGoal): ResourceState | undefined {
  const own = draft.index.current.get(goal.urn);
  if (own !== undefined) return own;
  const { goals } = draft.request.graph;
  const alias = goal.aliases.find((name) => !goals.has(name) && draft.index.current.has(name));
  const prior = alias === undefined ? undefined : draft.index.current.get(alias);
  if (prior !== undefined && draft.index.deposed.some((state) => state.urn === goal.urn)) {
    throw fail("ALIAS_BLOCKED", `${goal.urn} cannot take over ${prior.urn} yet`, {
      why: "An old generation under the new name still waits to be deleted.",
      hint: `Deploy once without the alias of ${goal.component}, then with it.`,
    });
  }
  return prior;
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
  const moved = prior.urn === place.goal.urn ? prior : addRename(draft, place, prior);
  if (prior.status === "tainted" || changed.changes.some((change) => change.forcesReplace)) {
    if (isGuardedHere(draft, place, moved)) draft.refused.add(place.goal.component);
    draft.replaced.push({ record: prior, state: moved });
    addCreate(draft, place, moved, changed);
  } else if (prior.status === "retained") {
    addUpdate(draft, place, { action: "adopt", prior: moved, changed });
  } else if (prior.inputs === null || changed.changes.length > 0) {
    addUpdate(draft, place, { action: "update", prior: moved, changed });
  } else {
    if (moved === prior) addRename(draft, place, prior);
    draft.outputs.set(place.goal.urn, unchangedOutputs(prior));
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
  const found = differences(prior?.inputs ?? null, resolved, seal);
  const forcing = forcingKeys(place.handler, prior, found, inputs);
  const changes = found.map(({ path, key, before, after }): Change => {
    return { path, before, after, forcesReplace: forcing.has(key) };
  });
  return { changes, inputs };
}

/**
 * Keys whose change forces a replacement. Inputs that are not known tell no change, and neither does a value that
 * may well turn out as it was.
 */
function forcingKeys(
  handler: ResourceHandler,
  prior: ResourceState | null,
  found: readonly Difference[],
  inputs: JsonObject,
): ReadonlySet<string> {
  if (prior === null || prior.inputs === null) return new Set();
  const keys = new Set(found.filter((one) => !one.doubtful).map((one) => one.key));
  return new Set(keys.size === 0 ? [] : handler.replaces([...keys], prior.inputs, inputs));
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

function addRename(draft: Draft, { goal, after }: Place, prior: ResourceState): ResourceState {
  const { generation, physicalName: name } = prior;
  const id = stepId("rename", goal.urn, generation);
  const step = { id, urn: goal.urn, generation, physicalName: name, after };
  draft.steps.push({ ...step, action: "rename", goal, prior });
  draft.settledBy.set(goal.urn, id);
  return renamedState(prior, goal);
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
  const step = { id, urn: goal.urn, generation, physicalName: name, after: behind(draft, place) };
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
  const step = { id, urn, generation, physicalName: chosen, after: behind(draft, place) };
  draft.steps.push({ ...step, action: "create", goal, replaces, changes: changed.changes });
  draft.settledBy.set(urn, id);
  draft.outputs.set(urn, createdOutputs(handler, chosen, changed.inputs));
}

/** The dependencies' steps, and this goal's own rename where there is one. */
function behind(draft: Draft, { goal, after }: Place): readonly string[] {
  const rename = draft.settledBy.get(goal.urn);
  return rename === undefined ? after : [...after, rename];
}

function undeclared(urn: Urn, target: Urn): Error {
  return fail("REFERENCE_UNDECLARED", `a callback in the inputs of ${urn} refers to ${target}`, {
    why: "What a callback returns cannot refer to a resource that the callback was not given.",
    hint: "Combine the outputs with $interpolate or list the resource in dependsOn.",
  });
}
