import { type Diagnostic, DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { ResourceGoal } from "../../model/resource.ts";
import { parseUrn, type Urn } from "../../model/urn.ts";
import { dependenciesOf } from "./dependencies-of.ts";
import { findCycle } from "./find-cycle.ts";
import { topologicalOrder } from "./topological-order.ts";

/** What the config wants, checked and ordered. Acyclic by construction. */
export interface Graph {
  /** Every goal's urn, behind those it depends on. Only the goals and their order decide it. */
  readonly order: readonly Urn[];
  readonly goals: ReadonlyMap<Urn, ResourceGoal>;
  /** What each goal depends on by `dependsOn` or by a ref in its inputs: sorted, without repeats. */
  readonly dependencies: ReadonlyMap<Urn, readonly Urn[]>;
}

/** The graph of a stage that is to have nothing: what `remove` plans with. */
export const EMPTY_GRAPH: Graph = { order: [], goals: new Map(), dependencies: new Map() };

/**
 * Checks the goals and orders them.
 *
 * @throws DiagnosticError (exit 2) with every `RESOURCE_DUPLICATE`, `REFERENCE_UNKNOWN`, `ALIAS_INVALID` found, or
 * `DEPENDENCY_CYCLE`, which prints the cycle
 */
export function buildGraph(goals: readonly ResourceGoal[]): Graph {
  const byUrn = new Map<Urn, ResourceGoal>();
  const problems: Diagnostic[] = [];
  for (const goal of goals) {
    if (byUrn.has(goal.urn)) problems.push(duplicate(goal));
    byUrn.set(goal.urn, goal);
  }
  const dependencies = new Map<Urn, readonly Urn[]>();
  for (const goal of byUrn.values()) {
    const found = dependenciesOf(goal);
    for (const urn of found) if (!byUrn.has(urn)) problems.push(missing(goal, urn));
    dependencies.set(goal.urn, found);
  }
  problems.push(...aliasProblems(byUrn));
  const [first, ...more] = problems;
  if (first !== undefined) throw new DiagnosticError(first, ...more);
  const lookup = (urn: Urn): readonly Urn[] => dependencies.get(urn) ?? [];
  const { order, blocked } = topologicalOrder([...byUrn.keys()], lookup);
  if (blocked.length > 0) throw cycle(findCycle(blocked, lookup), byUrn);
  return { order, goals: byUrn, dependencies };
}

function aliasProblems(goals: ReadonlyMap<Urn, ResourceGoal>): Diagnostic[] {
  const takenBy = new Map<Urn, ResourceGoal>();
  const problems: Diagnostic[] = [];
  for (const goal of goals.values()) {
    if (goal.aliases.length === 0) continue;
    for (const alias of new Set(goal.aliases)) {
      const other = takenBy.get(alias);
      if (other !== undefined) {
        problems.push(badAlias(goal, alias, `it is an alias of ${other.urn} as well`));
      } else if (parseUrn(alias).type !== goal.type) {
        problems.push(badAlias(goal, alias, "it names another type of resource"));
      }
      takenBy.set(alias, goal);
    }
  }
  return problems;
}

function problem(code: string, message: string, why: string, hint: string): Diagnostic {
  return { severity: "error", exit: EXIT.usage, code, message, why, hint };
}

function duplicate(goal: ResourceGoal): Diagnostic {
  return problem(
    "RESOURCE_DUPLICATE",
    `${goal.urn} is defined twice`,
    "A resource is known by its type and name, which are unique within a stage.",
    `Rename one of the components called ${goal.component}.`,
  );
}

function missing(goal: ResourceGoal, urn: Urn): Diagnostic {
  return problem(
    "REFERENCE_UNKNOWN",
    `${goal.urn} refers to ${urn}, which is not in the app`,
    "An output can only be used of a resource that the same app defines.",
    "Define the component that it refers to, or remove the reference.",
  );
}

function badAlias(goal: ResourceGoal, alias: Urn, reason: string): Diagnostic {
  return problem(
    "ALIAS_INVALID",
    `${goal.urn} cannot take over ${alias}`,
    `The alias cannot be used: ${reason}.`,
    `Correct the aliases of ${goal.component}.`,
  );
}

function cycle(path: readonly Urn[], goals: ReadonlyMap<Urn, ResourceGoal>): DiagnosticError {
  const components = [...new Set(path.map((urn) => goals.get(urn)?.component ?? urn))];
  return fail("DEPENDENCY_CYCLE", `Resources depend on each other: ${path.join(" -> ")}`, {
    why: "None of them can be made first, because each needs an output of the next.",
    hint: `Break the circle between ${components.join(", ")}.`,
  });
}
