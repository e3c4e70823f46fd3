import type { ResourceGoal, ResourceState } from "../model/resource.ts";
import { dependenciesOf } from "./graph/dependencies-of.ts";
import { birthUrn } from "./ownership.ts";

/** The record of a resource under the urn, name, component and dependencies of its goal; the thing is untouched. */
export function renamedState(prior: ResourceState, goal: ResourceGoal): ResourceState {
  const { bornAs: _, ...rest } = prior;
  const born = birthUrn(prior);
  return {
    ...rest,
    ...(born === goal.urn ? {} : { bornAs: born }),
    urn: goal.urn,
    name: goal.name,
    component: goal.component,
    dependsOn: dependenciesOf(goal),
  };
}
