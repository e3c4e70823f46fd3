import type { SourceLocation } from "../model/diagnostic.ts";
import { DiagnosticError, fail } from "../model/diagnostic.ts";
import { Computed, Ref, Sensitive, type Value, type ValueObject } from "../model/value.ts";
import { ComponentComputed, ComponentRef, type NodeValue } from "./node.ts";
import { isPlainObject, object, optional, type Parse } from "./options/parse.ts";
import { Place } from "./options/place.ts";
import { isLeaf, toNodeValue } from "./to-node-value.ts";

/**
 * Changes what a cloud is about to be asked for: an object whose members replace those of the inputs, or a function
 * that changes the inputs it is given. Names of the inputs are those of the cloud.
 */
export type Transform =
  | Record<string, unknown>
  | ((inputs: Record<string, unknown>, options: object, name: string) => void);

/** One transform; outputs in the object form are kept and resolved like those of any option. */
export const transformPart: Parse<unknown> = (value, at) => {
  if (typeof value === "function") return value;
  if (isPlainObject(value)) return toNodeValue(value, at);
  throw at.invalid(value, "an object or a function");
};

/** The option `transform` of a component with these parts. */
export function transforms<const Part extends string>(
  ...parts: readonly Part[]
): Parse<Readonly<Record<string, unknown>>> {
  const shape = Object.fromEntries(parts.map((part) => [part, optional(transformPart, null)]));
  const parse = optional(object(shape), {});
  return (value, at) => {
    const given = Object.entries(parse(value, at)).filter(([, change]) => change !== null);
    return Object.fromEntries(given);
  };
}

/** What can be transformed: a node, or the function of a route. */
interface Transformable {
  readonly name?: string;
  readonly transform?: Readonly<Record<string, unknown>>;
  readonly source: SourceLocation | null;
}

/**
 * The inputs of one part of a component after the user's `transform`. Every cloud passes the inputs it is about to
 * return through this. `inputs` itself is not changed.
 *
 * @throws DiagnosticError `TRANSFORM_FAILED` (exit 2) when the user's function throws or leaves what no input can be
 */
export function applyTransform(
  node: Transformable,
  part: string,
  inputs: ValueObject,
): ValueObject {
  const change = node.transform?.[part];
  if (change === undefined) return inputs;
  if (typeof change !== "function") return { ...inputs, ...(change as ValueObject) };
  const draft = draftOf(inputs);
  try {
    change(draft, {}, node.name ?? "");
    const place = new Place(`what transform.${part} leaves`, null);
    return known(toNodeValue(draft, place), part) as ValueObject;
  } catch (error) {
    if (error instanceof DiagnosticError && error.diagnostics[0].code === "TRANSFORM_FAILED") {
      throw error;
    }
    const message = error instanceof Error ? error.message : String(error);
    const source = node.source === null ? {} : { source: node.source };
    const named = node.name === undefined ? "" : ` of ${node.name}`;
    throw fail("TRANSFORM_FAILED", `transform.${part}${named} failed: ${message}`, source);
  }
}

function draftOf(value: Value): unknown {
  if (value === null || typeof value !== "object" || isLeaf(value)) return value;
  if (Array.isArray(value)) return value.map(draftOf);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, draftOf(member)]));
}

/** A function form sees inputs whose outputs are resolved already, so it cannot bring in new ones. */
function known(value: NodeValue, part: string): Value {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof ComponentRef || value instanceof ComponentComputed) {
    throw fail("TRANSFORM_FAILED", `The function transform.${part} sets an output of a component`, {
      why: "Outputs are resolved before the function runs.",
      hint: "Use the object form of the transform for outputs.",
    });
  }
  if (value instanceof Ref || value instanceof Computed || value instanceof Sensitive) return value;
  if (Array.isArray(value)) return value.map((item: NodeValue) => known(item, part));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, known(member as NodeValue, part)]),
  );
}
