import { fail } from "../model/diagnostic.ts";
import type { ComponentNode } from "./node.ts";
import { refsOf } from "./resolve-refs.ts";

/**
 * The nodes so that each stands behind those whose outputs it uses; otherwise in the order they were created.
 *
 * @throws DiagnosticError `DEPENDENCY_CYCLE` (exit 2), naming every component of the circle
 */
export function dependencyOrder(nodes: readonly ComponentNode[]): readonly ComponentNode[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const ordered = new Set<ComponentNode>();
  const path: ComponentNode[] = [];
  const visit = (node: ComponentNode): void => {
    if (ordered.has(node)) return;
    const start = path.indexOf(node);
    if (start !== -1) throw cycle(path.slice(start));
    path.push(node);
    for (const name of new Set(refsOf(node).map((ref) => ref.component))) {
      const needed = byName.get(name);
      if (needed !== undefined) visit(needed);
    }
    path.pop();
    ordered.add(node);
  };
  for (const node of nodes) visit(node);
  return [...ordered];
}

function cycle(nodes: readonly ComponentNode[]): Error {
  const names = nodes.map((node) => node.name);
  const source = nodes[0]?.source ?? null;
  return fail(
    "DEPENDENCY_CYCLE",
    `Components depend on each other: ${[...names, names[0]].join(" -> ")}`,
    {
      why: "Each of them needs an output of the next one, so that none can be created first.",
      hint: "Take one of the links or outputs out of the circle.",
      ...(source === null ? {} : { source }),
    },
  );
}
