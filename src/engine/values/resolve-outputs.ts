import type { JsonObject } from "../../model/json.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { ValueObject } from "../../model/value.ts";
import { clearForm, type Seal, storedForm } from "./render.ts";
import { resolveInputs } from "./resolve.ts";
import { UNKNOWN_NEW, unknownIn } from "./resolved.ts";

/** The outputs of an app, as far as its resources can tell them. */
export interface ResolvedOutputs {
  /** Sensitive values in clear: for handlers and files of the user's own, never for state. */
  readonly clear: JsonObject;
  /** Sensitive values sealed: for state and for everything that is shown. */
  readonly stored: JsonObject;
  /** Outputs left out because a resource they need is missing; its create has failed. */
  readonly missing: readonly string[];
}

/** Resolves what the config's `run()` returned against the resources of a stage. */
export function resolveOutputs(
  outputs: ValueObject,
  resources: readonly ResourceState[],
  seal: Seal,
): ResolvedOutputs {
  const live = new Map(
    resources.flatMap((state) => (state.status === "live" ? [[state.urn, state] as const] : [])),
  );
  const resolved = resolveInputs(outputs, {
    owner: "the outputs of the app",
    seal,
    lookup: (ref) => live.get(ref.urn)?.outputs[ref.output] ?? UNKNOWN_NEW,
  });
  const missing = Object.keys(resolved).filter((key) => unknownIn(resolved[key] ?? null) !== null);
  const known = Object.fromEntries(
    Object.entries(resolved).filter(([key]) => !missing.includes(key)),
  );
  return { clear: clearForm(known), stored: storedForm(known, seal), missing };
}
