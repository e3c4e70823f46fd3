import { type Json, type JsonObject, jsonEquals } from "../../model/json.ts";
import { Computed, Ref, Sensitive, type Value, type ValueObject } from "../../model/value.ts";
import { storedForm } from "./render.ts";
import { DEPTH_MAX, type Evaluation, resolve } from "./resolve.ts";
import { Unknown, unknownIn } from "./resolved.ts";

/**
 * Whether a value is, as far as can be told today, exactly what is stored. This is what a deploy without changes
 * spends its time on, so it compares in place and builds nothing.
 */
export function sameAsStored(
  value: Value,
  stored: Json | undefined,
  evaluation: Evaluation,
  depth = 0,
): boolean {
  if (value === stored) return true;
  if (typeof value !== "object" || value === null || stored === undefined) return false;
  // The slow way names what is nested too deeply.
  if (depth > DEPTH_MAX) return false;
  if (value instanceof Ref) {
    const known = evaluation.lookup(value, evaluation.owner);
    return !(known instanceof Unknown) && jsonEquals(known, stored);
  }
  if (value instanceof Sensitive) return isSealOf(stored, value.value, evaluation);
  if (value instanceof Computed) {
    const known = resolve(value, evaluation);
    return unknownIn(known) === null && jsonEquals(storedForm(known, evaluation.seal), stored);
  }
  if (typeof stored !== "object" || stored === null) return false;
  if (Array.isArray(value)) return sameLists(value, stored, evaluation, depth + 1);
  return !Array.isArray(stored) && sameObjects(value as ValueObject, stored, evaluation, depth + 1);
}

function isSealOf(stored: Json, value: Json, evaluation: Evaluation): boolean {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return false;
  const seal = (stored as JsonObject)["$sealed"];
  return typeof seal === "string" && seal === evaluation.seal(value);
}

function sameLists(
  value: readonly Value[],
  stored: Json,
  evaluation: Evaluation,
  depth: number,
): boolean {
  return (
    Array.isArray(stored) &&
    stored.length === value.length &&
    value.every((item, index) => sameAsStored(item, stored[index], evaluation, depth))
  );
}

function sameObjects(
  value: ValueObject,
  stored: Json,
  evaluation: Evaluation,
  depth: number,
): boolean {
  const object = stored as JsonObject;
  let members = 0;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    members += 1;
    if (!Object.hasOwn(object, key)) return false;
    if (!sameAsStored(member, object[key], evaluation, depth)) return false;
  }
  return members === Object.keys(object).length;
}
