import type { Diagnostic } from "../model/diagnostic.ts";
import { type Json, type JsonObject, jsonEquals } from "../model/json.ts";
import type { LogRecord } from "../model/record.ts";
import type { ResourceState } from "../model/resource.ts";
import { foreign } from "./apply/drive.ts";
import { each } from "./apply/each.ts";
import { type Observed, observe } from "./apply/observe.ts";
import { newRun, type Run, type RunEnvironment, record, timestamp, workFor } from "./apply/run.ts";
import { type Seal, sealedForm } from "./values/render.ts";

/** How one resource differs from its record. */
export type Drift =
  | { readonly kind: "gone"; readonly state: ResourceState }
  /** `keys`: top-level inputs that were changed in the cloud; empty when only outputs were. */
  | { readonly kind: "changed"; readonly state: ResourceState; readonly keys: readonly string[] }
  | { readonly kind: "foreign"; readonly state: ResourceState; readonly diagnostic: Diagnostic }
  | { readonly kind: "unreadable"; readonly state: ResourceState; readonly diagnostic: Diagnostic };

/**
 * Reads every resource and records what differs, so that the next plan brings it back: a resource that is gone loses
 * its record, changed inputs are recorded as they are. Settle first. Changes nothing in the cloud.
 *
 * @returns the drift in the order of the snapshot
 * @throws whatever the journal rejects with
 */
export async function refresh(environment: RunEnvironment): Promise<readonly Drift[]> {
  const run = newRun(environment);
  const { resources } = environment.epoch.snapshot();
  const drifts = new Map<ResourceState, Drift>();
  await each(resources, run.world.limits.concurrency, async (state) => {
    if (environment.signal.aborted) return;
    const drift = await lookAt(run, state);
    if (drift !== null) drifts.set(state, drift);
  });
  return resources.flatMap((state) => drifts.get(state) ?? []);
}

async function lookAt(run: Run, state: ResourceState): Promise<Drift | null> {
  const work = workFor(run, state);
  const { consistencyWindowMs: windowMs } = work.handler;
  const observed = await observe(work, { id: state.id, until: "there", windowMs });
  switch (observed.kind) {
    case "absent": {
      const { urn, generation } = state;
      await record(run, [{ kind: "forget", urn, generation }]);
      return { kind: "gone", state };
    }
    case "foreign":
      return { kind: "foreign", state, diagnostic: foreign(work, observed.owner) };
    case "broken":
    case "unreadable":
      return { kind: "unreadable", state, diagnostic: observed.diagnostic };
    case "found":
      return compare(run, state, observed);
  }
}

async function compare(
  run: Run,
  state: ResourceState,
  found: Observed & { readonly kind: "found" },
): Promise<Drift | null> {
  const outputs = { ...state.outputs, ...found.outputs };
  const keys = driftedKeys(state.inputs, found.inputs, run.seal);
  if (keys.length === 0 && jsonEquals(outputs, state.outputs)) return null;
  const inputs = overlay(state.inputs, found.inputs, keys, run.seal);
  const now: ResourceState = { ...state, inputs, outputs, updatedAt: timestamp(run) };
  const records: readonly LogRecord[] = [{ kind: "resource", state: now }];
  await record(run, records);
  return { kind: "changed", state: now, keys };
}

/** Recorded top-level inputs that the cloud tells otherwise. What it does not tell cannot have drifted for us. */
function driftedKeys(
  recorded: JsonObject | null,
  found: Json | undefined,
  seal: Seal,
): readonly string[] {
  if (recorded === null || !isObject(found)) return [];
  return Object.keys(recorded).filter((key) => {
    const before = recorded[key];
    const now = Object.hasOwn(found, key) ? found[key] : undefined;
    return now !== undefined && before !== undefined && !matches(before, now, seal);
  });
}

/** Whether a stored value is what the cloud tells; sealed parts are compared by their seals. */
function matches(stored: Json, found: Json, seal: Seal): boolean {
  if (!isObject(stored)) {
    if (!Array.isArray(stored) || !Array.isArray(found)) return jsonEquals(stored, found);
    return (
      stored.length === found.length &&
      stored.every((item: Json, index) => matches(item, found[index] ?? null, seal))
    );
  }
  if (Object.hasOwn(stored, "$sealed")) return jsonEquals(stored, sealedForm(found, seal));
  if (!isObject(found)) return false;
  const keys = Object.keys(stored);
  return (
    keys.length === Object.keys(found).length &&
    keys.every(
      (key) => Object.hasOwn(found, key) && matches(stored[key] ?? null, found[key] ?? null, seal),
    )
  );
}

/** The recorded inputs with what was found in place of what drifted; sealed where the record holds a seal. */
function overlay(
  recorded: JsonObject | null,
  found: Json | undefined,
  keys: readonly string[],
  seal: Seal,
): JsonObject | null {
  if (recorded === null || !isObject(found)) return recorded;
  const drifted = keys.map((key): [string, Json] => {
    const now = found[key] ?? null;
    return [key, holdsSeal(recorded[key] ?? null) ? sealedForm(now, seal) : now];
  });
  return { ...recorded, ...Object.fromEntries(drifted) };
}

function holdsSeal(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "$sealed") || Object.values(value).some(holdsSeal);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
