import { fail } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { type Callee, CallSite } from "./call-site.ts";
import { currentLocator } from "./evaluation.ts";
import { ComponentComputed, type NodeValue } from "./node.ts";
import { Place } from "./options/place.ts";
import { type Input, Output } from "./output.ts";
import { toNodeValue } from "./to-node-value.ts";

/** What a template or a concatenation may hold. */
export type Printable = Input<string> | Input<number> | Input<boolean>;

/**
 * A template string that may hold outputs.
 *
 * @example
 * const docs = $interpolate`${api.url}/docs`;
 */
export function interpolate(
  parts: TemplateStringsArray,
  ...values: readonly Printable[]
): Output<string> {
  const at = placeOf("$interpolate", interpolate);
  const inputs = values.map((value, index) => printable(value, at.index(index)));
  return joined(inputs, (texts) =>
    parts.map((part, index) => part + (texts[index] ?? "")).join(""),
  );
}

/** The arguments one after the other, as one string. */
export function concat(...values: readonly Printable[]): Output<string> {
  const at = placeOf("$concat", concat);
  return joined(
    values.map((value, index) => printable(value, at.index(index))),
    (texts) => texts.join(""),
  );
}

/** The JSON text of a value that may hold outputs. */
export function jsonStringify(value: unknown): Output<string> {
  const input = toNodeValue(value, placeOf("$jsonStringify", jsonStringify));
  return new Output(
    new ComponentComputed([input], ([json]) => JSON.stringify(json ?? null), "string"),
  );
}

/** What the JSON text of an output says. */
export function jsonParse<T = unknown>(text: Input<string>): Output<T> {
  const input = toNodeValue(text, placeOf("$jsonParse", jsonParse));
  return new Output<string>(input).apply((known) => JSON.parse(known) as T);
}

/** What {@link resolve} gives for a type: the same with every output replaced by its value. */
export type Resolved<T> =
  T extends Output<infer U>
    ? U
    : T extends readonly unknown[] | Record<string, unknown>
      ? { [K in keyof T]: Resolved<T[K]> }
      : T;

/** One output of an array or object that holds outputs. */
export function resolve<const T>(value: T): Output<Resolved<T>> {
  return new Output<Resolved<T>>(toNodeValue(value, placeOf("$resolve", resolve)));
}

function placeOf(name: string, callee: Callee): Place {
  return new Place(name, new CallSite(currentLocator(), callee));
}

function printable(value: unknown, at: Place): NodeValue {
  if (value instanceof Output) return Output.valueOf(value);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw at.invalid(value, "a string, number, boolean or an output of one");
}

function joined(inputs: readonly NodeValue[], join: (texts: readonly string[]) => string) {
  const compute = (values: readonly Json[]): string => join(values.map(textOf));
  return new Output<string>(new ComponentComputed(inputs, compute, "string"));
}

function textOf(value: Json): string {
  if (value !== null && typeof value !== "object") return String(value);
  throw fail(
    "OUTPUT_MISUSED",
    "An output that is no string, number or boolean stands in a template",
    {
      hint: "Use $jsonStringify() for objects, or .apply() to pick what you need.",
    },
  );
}
