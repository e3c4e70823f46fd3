import type { Json, JsonObject } from "../../../model/json.ts";

/** @throws Error when the input is no string */
export function stringIn(inputs: JsonObject, key: string): string {
  const value = inputs[key];
  if (typeof value !== "string") throw wrong(key, "a string");
  return value;
}

/** @throws Error when the input is neither a string nor null */
export function stringOrNullIn(inputs: JsonObject, key: string): string | null {
  return (inputs[key] ?? null) === null ? null : stringIn(inputs, key);
}

/** @throws Error when the input is no number */
export function numberIn(inputs: JsonObject, key: string): number {
  const value = inputs[key];
  if (typeof value !== "number") throw wrong(key, "a number");
  return value;
}

/** @throws Error when the input is neither a number nor null */
export function numberOrNullIn(inputs: JsonObject, key: string): number | null {
  return (inputs[key] ?? null) === null ? null : numberIn(inputs, key);
}

/** @throws Error when the input is neither true nor false */
export function booleanIn(inputs: JsonObject, key: string): boolean {
  const value = inputs[key];
  if (typeof value !== "boolean") throw wrong(key, "true or false");
  return value;
}

/** @throws Error when the input is no object */
export function objectIn(inputs: JsonObject, key: string): JsonObject {
  const value = inputs[key];
  if (!isObject(value)) throw wrong(key, "an object");
  return value;
}

/** @throws Error when the input is neither an object nor null */
export function objectOrNullIn(inputs: JsonObject, key: string): JsonObject | null {
  return (inputs[key] ?? null) === null ? null : objectIn(inputs, key);
}

/** @throws Error when the input is no list of strings */
export function stringsIn(inputs: JsonObject, key: string): string[] {
  const value = inputs[key];
  if (!Array.isArray(value)) throw wrong(key, "a list");
  return value.map((item: Json) => {
    if (typeof item !== "string") throw wrong(key, "a list of strings");
    return item;
  });
}

/** Whether a value is an object and no list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(key: string, what: string): Error {
  return new Error(`the input ${key} is not ${what}`);
}
