import { type Json, type JsonObject, jsonEquals } from "../../model/json.ts";
import { plannedForm, type Seal } from "./render.ts";
import { isList, isObject, type Resolved, type ResolvedObject, Unknown } from "./resolved.ts";

/** One property that differs, or may differ. */
export interface Difference {
  /** Dotted path into the inputs. */
  readonly path: string;
  /** The top-level key that it lies under. */
  readonly key: string;
  readonly before: Json | undefined;
  /** As plans show it. */
  readonly after: Json | undefined;
  /** It is unknown only because something it depends on is updated, and may turn out equal. */
  readonly doubtful: boolean;
}

/** Every difference between stored and resolved inputs, in the order of the sorted keys. */
export function differences(
  before: JsonObject | null,
  after: ResolvedObject,
  seal: Seal,
): readonly Difference[] {
  const found: Difference[] = [];
  for (const key of allKeys(before ?? {}, after)) {
    compare(member(before ?? {}, key), own(after, key), { path: key, key, seal, found });
  }
  return found;
}

interface Place {
  readonly path: string;
  readonly key: string;
  readonly seal: Seal;
  readonly found: Difference[];
}

function compare(before: Json | undefined, after: Resolved | undefined, place: Place): void {
  if (after instanceof Unknown || after === undefined || before === undefined) {
    if (before !== undefined || after !== undefined) note(before, after, place);
    return;
  }
  if (isList(after) && Array.isArray(before) && before.length === after.length) {
    after.forEach((item, index) => {
      compare(before[index], item, { ...place, path: `${place.path}.${index}` });
    });
    return;
  }
  if (isObject(after) && isPlainObject(before)) {
    for (const key of allKeys(before, after)) {
      compare(member(before, key), own(after, key), { ...place, path: `${place.path}.${key}` });
    }
    return;
  }
  if (!jsonEquals(before, plannedForm(after, place.seal))) note(before, after, place);
}

function note(before: Json | undefined, after: Resolved | undefined, place: Place): void {
  place.found.push({
    path: place.path,
    key: place.key,
    before,
    after: after === undefined ? undefined : plannedForm(after, place.seal),
    doubtful: after instanceof Unknown && !after.certain && before !== undefined,
  });
}

function allKeys(before: JsonObject, after: ResolvedObject): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function own(object: ResolvedObject, key: string): Resolved | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A sealed value is a leaf: it is never compared member by member. */
function isPlainObject(value: Json): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !Object.hasOwn(value, "$sealed")
  );
}
