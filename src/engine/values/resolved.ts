import type { Json } from "../../model/json.ts";
import { Sensitive } from "../../model/value.ts";

/**
 * A part of a value that is not known yet. `certain`: it belongs to something that is about to be made, so it will
 * differ from whatever is recorded. Otherwise it belongs to something that is only updated and may stay as it is.
 */
export class Unknown {
  readonly certain: boolean;

  constructor(certain: boolean) {
    this.certain = certain;
  }
}

/** Known after something is made. */
export const UNKNOWN_NEW = new Unknown(true);
/** Known after something is updated; perhaps what it is today. */
export const UNKNOWN_UPDATED = new Unknown(false);

/** A value without refs and callbacks: JSON whose leaves may also be sensitive or unknown. */
export type Resolved = Json | Sensitive | Unknown | readonly Resolved[] | ResolvedObject;

export interface ResolvedObject {
  readonly [key: string]: Resolved;
}

export function isList(value: Resolved): value is readonly Resolved[] {
  return Array.isArray(value);
}

export function isObject(value: Resolved): value is ResolvedObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Sensitive) &&
    !(value instanceof Unknown)
  );
}

/** What is unknown in a value: the certain unknown if there is one, else the doubtful one, else null. */
export function unknownIn(value: Resolved): Unknown | null {
  if (value instanceof Unknown) return value;
  if (!isList(value) && !isObject(value)) return null;
  let found: Unknown | null = null;
  for (const member of isList(value) ? value : Object.values(value)) {
    const inside = unknownIn(member);
    if (inside?.certain) return inside;
    found ??= inside;
  }
  return found;
}

/** Whether a value or any part of it is sensitive. */
export function holdsSensitive(value: Resolved): boolean {
  if (value instanceof Sensitive) return true;
  if (isList(value)) return value.some(holdsSensitive);
  return isObject(value) && Object.values(value).some(holdsSensitive);
}
