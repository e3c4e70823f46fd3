import type { ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import { birthUrn } from "../ownership.ts";

/** A snapshot's resources by what a planner asks for. */
export interface StateIndex {
  /** The record of each urn that is live, tainted or retained; at most one. */
  readonly current: ReadonlyMap<Urn, ResourceState>;
  /** Old generations that still wait to be deleted. */
  readonly deposed: readonly ResourceState[];
  /** The highest generation that was ever tagged with a urn and is still recorded, under whatever urn today. */
  readonly highest: ReadonlyMap<Urn, number>;
}

export function indexState(resources: readonly ResourceState[]): StateIndex {
  const current = new Map<Urn, ResourceState>();
  const deposed: ResourceState[] = [];
  const highest = new Map<Urn, number>();
  const raise = (urn: Urn, generation: number): void => {
    if ((highest.get(urn) ?? 0) < generation) highest.set(urn, generation);
  };
  for (const state of resources) {
    if (state.status === "deposed") deposed.push(state);
    else current.set(state.urn, state);
    raise(state.urn, state.generation);
    raise(birthUrn(state), state.generation);
  }
  return { current, deposed, highest };
}

/** The generation that a new resource of that urn gets: no record's tags or name can be mistaken for its own. */
export function nextGeneration(index: StateIndex, urn: Urn): number {
  return (index.highest.get(urn) ?? 0) + 1;
}
