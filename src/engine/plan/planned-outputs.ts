import type { Json, JsonObject } from "../../model/json.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import type { Ref } from "../../model/value.ts";
import type { ResourceHandler } from "../handler.ts";
import { outputUnknown, referenceUndeclared } from "../values/missing-output.ts";
import { UNKNOWN_NEW, UNKNOWN_UPDATED, type Unknown } from "../values/resolved.ts";

/** The outputs of one resource as far as a plan can tell them. */
export interface PlannedOutputs {
  readonly known: JsonObject;
  /** What any other output is; null: there is no other. */
  readonly rest: Unknown | null;
}

/** Nothing about the resource changes, so neither do its outputs. */
export function unchangedOutputs(prior: ResourceState): PlannedOutputs {
  return { known: prior.outputs, rest: null };
}

/** An update keeps what the type declares stable, and sets what can be predicted from the inputs. */
export function updatedOutputs(
  handler: ResourceHandler,
  prior: ResourceState,
  inputs: JsonObject,
): PlannedOutputs {
  const stable = (handler.stableOutputs ?? []).flatMap((output): [string, Json][] => {
    const value = prior.outputs[output];
    return value === undefined ? [] : [[output, value]];
  });
  const known = {
    ...Object.fromEntries(stable),
    ...predicted(handler, prior.physicalName, inputs),
  };
  return { known, rest: UNKNOWN_UPDATED };
}

/** Of what is about to be made, only what the type can predict is known. */
export function createdOutputs(
  handler: ResourceHandler,
  physicalName: string,
  inputs: JsonObject,
): PlannedOutputs {
  return { known: predicted(handler, physicalName, inputs), rest: UNKNOWN_NEW };
}

/**
 * The output behind a ref, as far as it is known.
 *
 * @throws DiagnosticError `OUTPUT_UNKNOWN` (exit 1) when the resource exists and has no such output,
 * `REFERENCE_UNDECLARED` (exit 2) when it is not among those that were planned before
 */
export function lookUp(
  planned: ReadonlyMap<Urn, PlannedOutputs>,
  ref: Ref,
  owner: string,
): Json | Unknown {
  const outputs = planned.get(ref.urn);
  if (outputs === undefined) throw referenceUndeclared(ref, owner);
  const known = Object.hasOwn(outputs.known, ref.output) ? outputs.known[ref.output] : undefined;
  if (known !== undefined) return known;
  if (outputs.rest === null) throw outputUnknown(ref, owner);
  return outputs.rest;
}

function predicted(handler: ResourceHandler, name: string, inputs: JsonObject): JsonObject {
  const outputs = handler.predict?.(name, inputs) ?? {};
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => isDefinite(value)));
}

/** A prediction that copied a sealed or unknown input tells nothing. */
function isDefinite(value: Json): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined;
  if (Object.hasOwn(value, "$sealed") || Object.hasOwn(value, "$unknown")) return false;
  return Object.values(value).every(isDefinite);
}
