import type { ComponentNode } from "./node.ts";
import { refsOf } from "./resolve-refs.ts";

/**
 * The nodes so that each stands behind those whose outputs it uses; otherwise in the order they
 * were created. In a circle, as of an API and a client whose callback is a route of that API, one
 * of them stands in front: components may need each other as long as their resources do not, which
 * the graph of resources checks.
 */
export function dependencyOrder(nodes: readonly ComponentNode[]): readonly ComponentNode[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const met = new Set<ComponentNode>();
  const ordered: ComponentNode[] = [];
  const visit = (node: ComponentNode): void => {
    if (met.has(node)) return;
    met.add(node);
    for (const { component } of refsOf(node)) {
      const needed = byName.get(component);
      if (needed !== undefined) visit(needed);
    }
    ordered.push(node);
  };
  for (const node of nodes) visit(node);
  return ordered;
}
