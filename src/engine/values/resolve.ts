import { DiagnosticError, fail } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { Computed, Ref, Sensitive, type Value, type ValueObject } from "../../model/value.ts";
import { clearForm, type Seal } from "./render.ts";
import {
  holdsSensitive,
  isObject,
  type Resolved,
  type ResolvedObject,
  type Unknown,
  unknownIn,
} from "./resolved.ts";

/** Far deeper than any cloud's configuration; deeper means a value that contains itself. */
export const DEPTH_MAX = 100;

/** What an evaluation needs to know about the world. */
export interface Evaluation {
  /** Whose value it is, in words for messages, for example the resource's urn. */
  readonly owner: string;
  /** The output behind a ref, or why it cannot be told yet. It is told the owner, for its errors. */
  readonly lookup: (ref: Ref, owner: string) => Json | Unknown;
  readonly seal: Seal;
}

/** {@link resolve} for the inputs of a resource. */
export function resolveInputs(inputs: ValueObject, evaluation: Evaluation): ResolvedObject {
  const resolved = resolve(inputs, evaluation);
  if (!isObject(resolved)) throw new Error(`the inputs of ${evaluation.owner} are not an object`);
  return resolved;
}

/**
 * Replaces refs by outputs and runs the callbacks whose inputs are known. What a callback makes of a sensitive value
 * is sensitive.
 *
 * @throws DiagnosticError `APPLY_CALLBACK_FAILED`, `VALUE_INVALID` (exit 2)
 */
export function resolve(value: Value, evaluation: Evaluation, depth = 0): Resolved {
  if (depth > DEPTH_MAX) throw invalid(evaluation, "is nested too deeply or contains itself");
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw invalid(evaluation, `holds the number ${value}`);
      return value;
    case "object":
      if (value === null) return null;
      return resolveObject(value, evaluation, depth + 1);
    default:
      throw invalid(evaluation, `holds a ${typeof value}, which cannot be stored`);
  }
}

function resolveObject(value: Value & object, evaluation: Evaluation, depth: number): Resolved {
  if (value instanceof Ref) return evaluation.lookup(value, evaluation.owner);
  if (value instanceof Sensitive) return value;
  if (value instanceof Computed) return runComputed(value, evaluation, depth);
  if (Array.isArray(value)) return resolveList(value, evaluation, depth);
  return resolveMembers(value as ValueObject, evaluation, depth);
}

/** Lists and objects with nothing to replace are given back themselves: most are, and copies of all take long. */
function resolveList(list: readonly Value[], evaluation: Evaluation, depth: number): Resolved {
  const resolved = list.map((item) => resolve(item, evaluation, depth));
  const isSame = resolved.every((item, index) => item === list[index]);
  return isSame ? (list as readonly Resolved[]) : resolved;
}

function resolveMembers(object: ValueObject, evaluation: Evaluation, depth: number): Resolved {
  const members: [string, Resolved][] = [];
  let isSame = true;
  for (const key of Object.keys(object)) {
    const member = object[key];
    const resolved = member === undefined ? undefined : resolve(member, evaluation, depth);
    if (resolved === undefined || resolved !== member) isSame = false;
    if (resolved !== undefined) members.push([key, resolved]);
  }
  const [first] = members;
  if (members.length === 1 && (first?.[0] === "$sealed" || first?.[0] === "$unknown")) {
    throw invalid(evaluation, `holds an object whose only key is ${first[0]}`);
  }
  return isSame ? (object as ResolvedObject) : Object.fromEntries(members);
}

function runComputed(computed: Computed, evaluation: Evaluation, depth: number): Resolved {
  const inputs = computed.inputs.map((input) => resolve(input, evaluation, depth));
  const unknown = unknownIn(inputs);
  if (unknown !== null) return unknown;
  const tainted = inputs.some(holdsSensitive);
  const answer = runCallback(computed, inputs, tainted, evaluation);
  const result = resolve(answer, evaluation, depth);
  if (!tainted) return result;
  return unknownIn(result) ?? new Sensitive(clearForm(result));
}

function runCallback(
  computed: Computed,
  inputs: readonly Resolved[],
  tainted: boolean,
  evaluation: Evaluation,
): Value {
  try {
    return computed.compute(inputs.map((input) => clearForm(input)));
  } catch (error) {
    const source = error instanceof DiagnosticError ? error.diagnostics[0].source : undefined;
    if (error instanceof DiagnosticError && !tainted) throw error;
    // What a callback throws over a secret may quote it, as JSON.parse does.
    const said = tainted
      ? "It works on a sensitive value, so its error is not shown."
      : text(error);
    throw fail("APPLY_CALLBACK_FAILED", `A callback in the inputs of ${evaluation.owner} threw`, {
      why: said,
      hint: "Mend the function given to .apply in the config.",
      ...(source === undefined ? {} : { source }),
    });
  }
}

function text(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function invalid(evaluation: Evaluation, what: string): DiagnosticError {
  return fail("VALUE_INVALID", `A value in the inputs of ${evaluation.owner} ${what}`, {
    why: "Inputs are plain JSON: strings, finite numbers, booleans, null, lists and objects.",
    hint: "Look at what the config, its callbacks or a transform put there.",
  });
}
