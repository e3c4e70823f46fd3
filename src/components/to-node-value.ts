import { Computed, Ref, Sensitive } from "../model/value.ts";
import { ComponentComputed, ComponentRef, type NodeValue } from "./node.ts";
import { isPlainObject } from "./options/parse.ts";
import type { Place } from "./options/place.ts";
import { Output } from "./output.ts";

/** Deeper than this a value is taken for one that contains itself. */
const DEPTH_MAX = 64;

/**
 * Turns any value of the user's into a {@link NodeValue}: JSON, with outputs as leaves. Members that are undefined are
 * left out, as in JSON.
 *
 * @throws DiagnosticError `VALUE_UNSUPPORTED` (exit 2) for what JSON cannot hold, `OPTION_MISSING` for undefined
 */
export function toNodeValue(value: unknown, at: Place, depth = 0): NodeValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return finite(value, at);
  if (value === undefined) throw at.invalid(value, "a value that JSON can hold, or an output");
  if (value instanceof Output) return Output.valueOf(value);
  if (isLeaf(value)) return value;
  if (depth > DEPTH_MAX) throw unsupported("contains itself or is nested too deeply", at);
  if (Array.isArray(value)) {
    return Array.from(value).map((item, index) => toNodeValue(item, at.index(index), depth + 1));
  }
  if (!isPlainObject(value)) throw unsupported(`is ${nameOf(value)}`, at, hintFor(value));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([key, member]) => [key, toNodeValue(member, at.key(key), depth + 1)]),
  );
}

type Leaf = Ref | Computed | Sensitive | ComponentRef | ComponentComputed;

/** Whether a value is one of ours that stands for something known later or kept out of sight. */
export function isLeaf(value: unknown): value is Leaf {
  return (
    value instanceof ComponentRef ||
    value instanceof ComponentComputed ||
    value instanceof Ref ||
    value instanceof Computed ||
    value instanceof Sensitive
  );
}

function finite(value: number, at: Place): number {
  if (Number.isFinite(value)) return value;
  throw unsupported(`is ${value}`, at);
}

function unsupported(
  what: string,
  at: Place,
  hint = "Use what JSON can hold, or an output.",
): Error {
  return at.problem("VALUE_UNSUPPORTED", `${at} ${what}`, { hint });
}

function nameOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return `a value of class ${value.constructor?.name ?? "unknown"}`;
}

function hintFor(value: unknown): string | undefined {
  if (value instanceof Promise) return "It is a promise: was an `await` forgotten?";
  if (typeof value === "object" && value !== null && "getLink" in value) {
    return "It is a component: pass one of its outputs, such as `.name` or `.url`.";
  }
  return undefined;
}
