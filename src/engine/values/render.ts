import type { Json, JsonObject } from "../../model/json.ts";
import { Sensitive } from "../../model/value.ts";
import { isList, type Resolved, type ResolvedObject, Unknown } from "./resolved.ts";

/** HMAC-SHA256 (hex) of a value's canonical JSON, under the key of the app. */
export type Seal = (value: Json) => string;

/** How an unknown stands in a plan. */
export const UNKNOWN_FORM: JsonObject = { $unknown: true };

/** How a sensitive value stands in state and in plans. */
export function sealedForm(value: Json, seal: Seal): JsonObject {
  return { $sealed: seal(value) };
}

interface Forms {
  readonly sensitive: (value: Json) => Json;
  readonly unknown: () => Json;
}

/** The form for the call: secrets in clear. Everything must be known. */
export function clearForm(value: ResolvedObject): JsonObject;
export function clearForm(value: Resolved): Json;
export function clearForm(value: Resolved): Json {
  return render(value, { sensitive: (secret) => secret, unknown: refuseUnknown });
}

/** The form for state: secrets sealed. Everything must be known. */
export function storedForm(value: ResolvedObject, seal: Seal): JsonObject;
export function storedForm(value: Resolved, seal: Seal): Json;
export function storedForm(value: Resolved, seal: Seal): Json {
  return render(value, {
    sensitive: (secret) => sealedForm(secret, seal),
    unknown: refuseUnknown,
  });
}

/** The form for plans: secrets sealed, unknowns marked. */
export function plannedForm(value: ResolvedObject, seal: Seal): JsonObject;
export function plannedForm(value: Resolved, seal: Seal): Json;
export function plannedForm(value: Resolved, seal: Seal): Json {
  return render(value, {
    sensitive: (secret) => sealedForm(secret, seal),
    unknown: () => UNKNOWN_FORM,
  });
}

function refuseUnknown(): never {
  throw new Error("a value that is not known yet was about to be used");
}

function render(value: Resolved, forms: Forms): Json {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Sensitive) return forms.sensitive(value.value);
  if (value instanceof Unknown) return forms.unknown();
  // What is JSON already is given back itself: nearly all of a deploy is, several times over.
  if (isJson(value)) return value;
  if (isList(value)) return value.map((item) => render(item, forms));
  return Object.fromEntries(
    Object.entries(value as ResolvedObject).map(([key, member]) => [key, render(member, forms)]),
  );
}

/** Whether nothing in a value is sensitive or unknown. */
function isJson(value: Resolved): value is Json {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Sensitive || value instanceof Unknown) return false;
  if (isList(value)) return value.every(isJson);
  return Object.values(value as ResolvedObject).every(isJson);
}
