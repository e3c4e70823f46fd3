import type { ResourceGoal } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import { findRefs } from "../values/find-refs.ts";

/** What a goal depends on by `dependsOn` or by a ref in its inputs: sorted, without repeats. */
export function dependenciesOf(goal: ResourceGoal): readonly Urn[] {
  const found = [...goal.dependsOn];
  findRefs(goal.inputs, (ref) => {
    if (!found.includes(ref.urn)) found.push(ref.urn);
  });
  return found.length > 1 ? [...new Set(found)].sort() : found;
}
