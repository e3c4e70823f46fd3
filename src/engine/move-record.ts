import type { Plan } from "../model/plan.ts";
import type { ResourceGoal, ResourceState } from "../model/resource.ts";
import type { Urn } from "../model/urn.ts";
import { birthUrn } from "./ownership.ts";

/** Goals that take over the records of an earlier name, by that name's urn. */
export type Renames = ReadonlyMap<Urn, ResourceGoal>;

export function renamesOf(plan: Plan): Renames {
  return new Map(
    plan.steps.flatMap((step) =>
      step.action === "rename" ? [[step.prior.urn, step.goal] as const] : [],
    ),
  );
}

/**
 * The record as it stands once all renames are done: under its new urn, and with new urns for what it depends on. All
 * generations of a renamed resource move together, so that what uses one of them is still known to.
 *
 * @returns the same object when no rename touches it
 */
export function moveRecord(state: ResourceState, renames: Renames): ResourceState {
  const goal = renames.get(state.urn);
  const isTouched = goal !== undefined || state.dependsOn.some((urn) => renames.has(urn));
  if (!isTouched) return state;
  const dependsOn = state.dependsOn.map((urn) => renames.get(urn)?.urn ?? urn).sort();
  if (goal === undefined) return { ...state, dependsOn };
  const { bornAs: _, ...rest } = state;
  const born = birthUrn(state);
  return {
    ...rest,
    ...(born === goal.urn ? {} : { bornAs: born }),
    urn: goal.urn,
    name: goal.name,
    component: goal.component,
    dependsOn,
  };
}
