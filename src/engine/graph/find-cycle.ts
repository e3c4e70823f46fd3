/** One cycle among nodes of which each depends on another of them, starting and ending with the same node. */
export function findCycle<Node>(
  blocked: readonly Node[],
  dependenciesOf: (node: Node) => readonly Node[],
): readonly Node[] {
  const inside = new Set(blocked);
  const path: Node[] = [];
  const seenAt = new Map<Node, number>();
  let node = blocked[0];
  while (node !== undefined) {
    const before = seenAt.get(node);
    if (before !== undefined) return [...path.slice(before), node];
    seenAt.set(node, path.length);
    path.push(node);
    node = dependenciesOf(node).find((next) => inside.has(next));
  }
  throw new Error("no cycle among the blocked nodes");
}
