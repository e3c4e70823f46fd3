import { integrityProblems } from "../engine/integrity.ts";
import { birthUrn } from "../engine/ownership.ts";
import { type Json, jsonEquals } from "../model/json.ts";
import type { ResourceState } from "../model/resource.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { SENTINEL } from "./simulated-app.ts";
import type { Thing } from "./simulated-cloud.ts";
import { type SimulatedWorld, simulatedSeal } from "./simulated-world.ts";

/**
 * What must hold at every instant, whoever crashed when: state readable and sound, nothing orphaned, nothing made
 * twice, nothing recorded that never was, no secret outside the cloud, no rule of the cloud broken.
 *
 * @returns one sentence for each violation
 */
export async function instantProblems(world: SimulatedWorld): Promise<readonly string[]> {
  const snapshot = await world.snapshot();
  const things = world.cloud.things.filter(isOfOurStage);
  return [
    ...world.cloud.violations,
    ...integrityProblems(snapshot),
    ...things.filter((thing) => !isReachable(thing, snapshot)).map((t) => `${t.id} is orphaned`),
    ...snapshot.resources.flatMap((state) => phantomProblems(state, snapshot, world.cloud.things)),
    ...((await world.homeText()).includes(SENTINEL) ? ["a secret stands in the home"] : []),
    ...(JSON.stringify(world.events).includes(SENTINEL) ? ["a secret was told"] : []),
  ];
}

/** What must hold besides once a run without faults has ended well: the cloud is what the records say, and no more. */
export async function restProblems(world: SimulatedWorld): Promise<readonly string[]> {
  const snapshot = await world.snapshot();
  const things = world.cloud.things.filter(isOfOurStage);
  const recorded = new Set(snapshot.resources.map((state) => state.id));
  return [
    ...(await instantProblems(world)),
    ...snapshot.openIntents.map((intent) => `intent ${intent.id} is still open`),
    ...things.filter((thing) => !recorded.has(thing.id)).map((t) => `${t.id} is left over`),
    ...snapshot.resources.flatMap((state) => recordProblems(state, snapshot.resources, things)),
  ];
}

function isOfOurStage(thing: Thing): boolean {
  return thing.tags["scrim:app"] === "shop" && thing.tags["scrim:stage"] === "dev";
}

/** By its record, or by an open intent that knows its name or tags. */
function isReachable(thing: Thing, snapshot: Snapshot): boolean {
  if (snapshot.resources.some((state) => state.id === thing.id)) return true;
  return snapshot.openIntents.some(
    (intent) =>
      intent.operation === "create" &&
      intent.urn === thing.tags["scrim:urn"] &&
      String(intent.generation) === thing.tags["scrim:generation"],
  );
}

function phantomProblems(
  state: ResourceState,
  snapshot: Snapshot,
  things: readonly Thing[],
): readonly string[] {
  const thing = things.find((one) => one.id === state.id);
  if (thing === undefined) {
    const isLeaving = snapshot.openIntents.some(
      (intent) => intent.operation === "delete" && intent.urn === state.urn,
    );
    return isLeaving ? [] : [`${state.urn} is recorded and does not exist`];
  }
  const isRight =
    thing.tags["scrim:urn"] === birthUrn(state) &&
    thing.tags["scrim:generation"] === String(state.generation);
  return isRight ? [] : [`the record of ${state.urn} names ${thing.id}, which is another thing`];
}

/** Old generations stay as long as something that is kept may use them. */
function isUsedByKept(state: ResourceState, resources: readonly ResourceState[]): boolean {
  return resources.some(
    (user) =>
      user.dependsOn.includes(state.urn) &&
      (user.status === "retained" ||
        (user.status === "deposed" && user !== state && isUsedByKept(user, resources))),
  );
}

function recordProblems(
  state: ResourceState,
  resources: readonly ResourceState[],
  things: readonly Thing[],
): readonly string[] {
  const thing = things.find((one) => one.id === state.id);
  if (thing === undefined || state.status === "retained") return [];
  if (state.status === "deposed" && isUsedByKept(state, resources)) return [];
  if (state.status !== "live") return [`${state.urn} is left ${state.status}`];
  if (state.inputs === null) return [`the inputs of ${state.urn} are still unknown`];
  return sameAsSpec(state.inputs, thing.spec) ? [] : [`${state.urn} is not as recorded`];
}

function sameAsSpec(stored: Json, spec: Json): boolean {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) {
    return jsonEquals(stored, spec);
  }
  if ("$sealed" in stored) return stored["$sealed"] === simulatedSeal(spec);
  if (typeof spec !== "object" || spec === null || Array.isArray(spec)) return false;
  const keys = Object.keys(stored);
  return (
    keys.length === Object.keys(spec).length &&
    keys.every((key) => sameAsSpec(stored[key as never] ?? null, spec[key as never] ?? null))
  );
}
