/** A JSON value, immutable. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object, immutable. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * The one text of a JSON value: keys sorted by code unit, no white space. Two equal values have equal texts,
 * so hashes and comparisons can be taken over it.
 *
 * @example
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const object = value as JsonObject;
  const members = Object.keys(object)
    .sort()
    .filter((key) => object[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`);
  return `{${members.join(",")}}`;
}

/** Whether two JSON values are the same value, whatever the order of their keys. */
export function jsonEquals(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object")
    return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left)) {
    const other = right as readonly Json[];
    return (
      left.length === other.length && left.every((item, index) => jsonEquals(item, other[index]))
    );
  }
  const a = left as JsonObject;
  const b = right as JsonObject;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]))
  );
}
