/** Nodes in an order in which each follows everything it depends on, and those that lie on or behind a cycle. */
export interface TopologicalOrder<Node> {
  readonly order: readonly Node[];
  /** Empty when there is no cycle; else in the order given. */
  readonly blocked: readonly Node[];
}

/**
 * Orders nodes behind their dependencies, in linear time and without recursion. Nodes that become free at the same
 * time keep the order given. Dependencies that are not among the nodes are ignored.
 */
export function topologicalOrder<Node>(
  nodes: readonly Node[],
  dependenciesOf: (node: Node) => Iterable<Node>,
): TopologicalOrder<Node> {
  const waitingFor = new Map<Node, number>();
  const dependants = new Map<Node, Node[]>();
  for (const node of nodes) waitingFor.set(node, 0);
  for (const node of nodes) {
    for (const dependency of new Set(dependenciesOf(node))) {
      if (!waitingFor.has(dependency)) continue;
      waitingFor.set(node, (waitingFor.get(node) ?? 0) + 1);
      const known = dependants.get(dependency);
      if (known === undefined) dependants.set(dependency, [node]);
      else known.push(node);
    }
  }
  const order = nodes.filter((node) => waitingFor.get(node) === 0);
  for (let index = 0; index < order.length; index += 1) {
    for (const dependant of dependants.get(order[index] as Node) ?? []) {
      const left = (waitingFor.get(dependant) ?? 0) - 1;
      waitingFor.set(dependant, left);
      if (left === 0) order.push(dependant);
    }
  }
  return { order, blocked: nodes.filter((node) => waitingFor.get(node) !== 0) };
}
