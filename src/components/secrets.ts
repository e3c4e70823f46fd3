import type { ComponentNode, SecretNode } from "./node.ts";

/** The secrets that a config declares, by name. */
export function secretsOf(nodes: readonly ComponentNode[]): readonly SecretNode[] {
  return nodes.filter((node) => node.kind === "Secret").sort((a, b) => (a.name < b.name ? -1 : 1));
}
