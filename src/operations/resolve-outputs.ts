import type { Seal } from "../engine/values/render.ts";
import { clearForm, plannedForm } from "../engine/values/render.ts";
import { resolve } from "../engine/values/resolve.ts";
import {
  isList,
  isObject,
  type Resolved,
  UNKNOWN_NEW,
  unknownIn,
} from "../engine/values/resolved.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Urn } from "../model/urn.ts";
import { Sensitive, type Value } from "../model/value.ts";

/** How a sensitive output is shown and written to files. */
export const MASK = "(sensitive)";

export interface ResolvedOutputs {
  readonly clear: JsonObject;
  /** Sensitive values masked. */
  readonly shown: JsonObject;
  /** For state: sensitive values sealed. */
  readonly stored: JsonObject;
}

/** The outputs of an app over what a stage has. An output of something that does not exist is left out. */
export function resolveOutputs(
  outputs: Readonly<Record<string, Value>>,
  snapshot: Snapshot,
  seal: Seal,
): ResolvedOutputs {
  const known = new Map<Urn, JsonObject>();
  for (const state of snapshot.resources) {
    if (state.status === "live") known.set(state.urn, state.outputs);
  }
  const clear: [string, Json][] = [];
  const shown: [string, Json][] = [];
  const stored: [string, Json][] = [];
  for (const [name, value] of Object.entries(outputs)) {
    const resolved = resolve(value, {
      owner: `the output ${name}`,
      lookup: (ref) => known.get(ref.urn)?.[ref.output] ?? UNKNOWN_NEW,
      seal,
    });
    if (!isKnown(resolved)) continue;
    clear.push([name, clearForm(resolved)]);
    shown.push([name, clearForm(masked(resolved))]);
    stored.push([name, plannedForm(resolved, seal)]);
  }
  return {
    clear: Object.fromEntries(clear),
    shown: Object.fromEntries(shown),
    stored: Object.fromEntries(stored),
  };
}

/** Outputs as state keeps them, with what is sealed masked for people. */
export function shownOutputs(stored: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, unsealed(value)]));
}

function unsealed(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(unsealed);
  const members = Object.entries(value);
  if (members.length === 1 && members[0]?.[0] === "$sealed") return MASK;
  return Object.fromEntries(members.map(([key, member]) => [key, unsealed(member)]));
}

function isKnown(value: Resolved): boolean {
  return unknownIn(value) === null;
}

function masked(value: Resolved): Resolved {
  if (value instanceof Sensitive) return MASK;
  if (isList(value)) return value.map(masked);
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
  }
  return value;
}
