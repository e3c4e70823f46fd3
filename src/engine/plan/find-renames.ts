import { type DiagnosticError, fail } from "../../model/diagnostic.ts";
import type { ResourceGoal, ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import type { Graph } from "../graph/graph.ts";
import type { Renames } from "../move-record.ts";
import type { StateIndex } from "./state-index.ts";

/**
 * Which goals take over a record by an alias: those without a record of their own, from the first alias that has one
 * and is no goal itself.
 *
 * @throws DiagnosticError `ALIAS_BLOCKED` (exit 2)
 */
export function findRenames(graph: Graph, index: StateIndex): Renames {
  const renames = new Map<Urn, ResourceGoal>();
  for (const goal of graph.goals.values()) {
    if (goal.aliases.length === 0 || index.current.has(goal.urn)) continue;
    const alias = goal.aliases.find((urn) => !graph.goals.has(urn) && index.current.has(urn));
    if (alias === undefined) continue;
    const old = index.deposed.find((state) => state.urn === goal.urn);
    if (old !== undefined) throw blocked(goal, old);
    renames.set(alias, goal);
  }
  return renames;
}

function blocked(goal: ResourceGoal, old: ResourceState): DiagnosticError {
  return fail("ALIAS_BLOCKED", `${goal.urn} cannot take over another resource yet`, {
    why: `An old generation under that name, ${old.physicalName}, still waits to be deleted.`,
    hint: `Deploy once without the aliases of ${goal.component}, then with them.`,
  });
}
