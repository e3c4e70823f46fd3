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
  dependenciesOf: (node: Node) => readonly Node[],
): TopologicalOrder<Node> {
  const places = new Map<Node, number>();
  for (const [place, node] of nodes.entries()) places.set(node, place);
  const waitingFor = new Int32Array(nodes.length);
  const dependants = nodes.map((): number[] => []);
  for (const [place, node] of nodes.entries()) {
    for (const dependency of dependenciesOf(node)) {
      const before = places.get(dependency);
      if (before === undefined) continue;
      waitingFor[place] = (waitingFor[place] ?? 0) + 1;
      dependants[before]?.push(place);
    }
  }
  const order: number[] = [];
  for (const [place, count] of waitingFor.entries()) if (count === 0) order.push(place);
  for (let next = 0; next < order.length; next += 1) {
    for (const dependant of dependants[order[next] ?? 0] ?? []) {
      waitingFor[dependant] = (waitingFor[dependant] ?? 0) - 1;
      if (waitingFor[dependant] === 0) order.push(dependant);
    }
  }
  return {
    order: order.map((place) => nodes[place] as Node),
    blocked: nodes.filter((_, place) => waitingFor[place] !== 0),
  };
}
