import type { Json, JsonObject } from "../../model/json.ts";
import { Computed, Ref, Sensitive, type Value } from "../../model/value.ts";
import { safeLine } from "./safe-text.ts";
import { truncate } from "./text-width.ts";

const WIDTH_MAX = 200;

const SENSITIVE = "(sensitive)";
const UNKNOWN = "(known after apply)";

/** A value of a plan or state on one line. What is sensitive or not known yet is said instead of shown. */
export function valueText(value: Value | undefined): string {
  if (value === undefined) return "(none)";
  return truncate(safeLine(compact(value)), WIDTH_MAX);
}

/** A value for people: a string stands as it is. */
export function plainValueText(value: Json): string {
  return typeof value === "string" ? safeLine(value) : valueText(value);
}

/** Whether JSON stands for a sensitive value. */
export function isSealed(value: unknown): boolean {
  return isMarked(value, "$sealed");
}

export function isUnknown(value: unknown): boolean {
  return isMarked(value, "$unknown");
}

function isMarked(value: unknown, mark: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, mark);
}

function compact(value: Value): string {
  if (value instanceof Sensitive || isSealed(value)) return SENSITIVE;
  if (value instanceof Ref || value instanceof Computed || isUnknown(value)) return UNKNOWN;
  if (Array.isArray(value)) return `[${value.map(compact).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as JsonObject);
  if (members.length === 0) return "{}";
  return `{ ${members.map(([key, member]) => `${key}: ${compact(member)}`).join(", ")} }`;
}
