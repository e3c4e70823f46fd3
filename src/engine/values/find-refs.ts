import { Computed, Ref, Sensitive, type Value, type ValueObject } from "../../model/value.ts";
import { DEPTH_MAX } from "./resolve.ts";

/** Tells `visit` every ref in a value, also those behind callbacks. What nests too deeply is left to `resolve`. */
export function findRefs(value: Value, visit: (ref: Ref) => void, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return;
  if (value instanceof Ref) visit(value);
  else if (value instanceof Computed) {
    for (const input of value.inputs) findRefs(input, visit, depth + 1);
  } else if (Array.isArray(value)) {
    for (const item of value) findRefs(item, visit, depth + 1);
  } else if (!(value instanceof Sensitive)) {
    const members = value as ValueObject;
    Object.values(members).forEach((member) => {
      findRefs(member, visit, depth + 1);
    });
  }
}
