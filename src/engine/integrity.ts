import type { ResourceState } from "../model/resource.ts";
import type { Intent, Snapshot } from "../model/snapshot.ts";
import type { Urn } from "../model/urn.ts";
import { birthUrn } from "./ownership.ts";

/**
 * What no snapshot may ever show, after any crash: linear, so cheap enough to ask after every change in tests.
 *
 * @returns one sentence for each violation; empty when the snapshot is sound
 */
export function integrityProblems(snapshot: Snapshot): readonly string[] {
  const known = new Set<Urn>();
  for (const state of snapshot.resources) known.add(state.urn).add(birthUrn(state));
  for (const intent of snapshot.openIntents) known.add(intent.urn);
  return [
    ...duplicateRecords(snapshot.resources),
    ...rivals(snapshot.resources),
    ...snapshot.resources.flatMap((state) => stateProblems(state, known)),
    ...intentProblems(snapshot),
  ];
}

function duplicateRecords(resources: readonly ResourceState[]): readonly string[] {
  return [
    ...repeated(resources, keyOf).map((key) => `two records of generation ${key}`),
    ...repeated(resources, (state) => `${state.type} ${state.id}`).map(
      (key) => `two records of the thing ${key}`,
    ),
  ];
}

/** At most one record of a urn is in use or kept; the others wait to be deleted. */
function rivals(resources: readonly ResourceState[]): readonly string[] {
  const current = resources.filter((state) => state.status !== "deposed");
  return repeated(current, (state) => state.urn).map((urn) => `two resources in use as ${urn}`);
}

function stateProblems(state: ResourceState, known: ReadonlySet<Urn>): readonly string[] {
  const problems: string[] = [];
  if (state.generation < 1) problems.push(`${keyOf(state)} has an impossible generation`);
  if (state.id === "") problems.push(`${keyOf(state)} has no id`);
  if (state.status !== "live") return problems;
  const dangling = state.dependsOn.filter((urn) => !known.has(urn));
  return [...problems, ...dangling.map((urn) => `${keyOf(state)} depends on missing ${urn}`)];
}

function intentProblems(snapshot: Snapshot): readonly string[] {
  const recorded = new Set(snapshot.resources.map(keyOf));
  const wrong = snapshot.openIntents.filter(
    (intent) => recorded.has(keyOf(intent)) === (intent.operation === "create"),
  );
  return [
    ...wrong.map((intent) => `the intent to ${intent.operation} ${keyOf(intent)} fits no record`),
    ...repeated(snapshot.openIntents, keyOf).map((key) => `two open intents for ${key}`),
  ];
}

function repeated<Item>(items: readonly Item[], keyFor: (item: Item) => string): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const item of items) {
    const key = keyFor(item);
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  return [...twice];
}

function keyOf({ urn, generation }: Pick<ResourceState | Intent, "urn" | "generation">): string {
  return `${generation} ${urn}`;
}
