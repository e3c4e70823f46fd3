import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { Sensitive } from "../../model/value.ts";
import { isList, isObject, type Resolved } from "./resolved.ts";

/** Shorter texts are too likely to stand in a message by chance, and then hiding them hides the message. */
const SHORTEST_HIDDEN = 4;

/** The diagnostic with every sensitive text of `inputs` replaced: a cloud's refusal may quote what it was sent. */
export function redactDiagnostic(diagnostic: Diagnostic, inputs: Resolved): Diagnostic {
  const secrets = sensitiveTexts(inputs);
  if (secrets.length === 0) return diagnostic;
  return {
    ...diagnostic,
    message: redact(diagnostic.message, secrets),
    ...(diagnostic.why === undefined ? {} : { why: redact(diagnostic.why, secrets) }),
    ...(diagnostic.hint === undefined ? {} : { hint: redact(diagnostic.hint, secrets) }),
  };
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "[sensitive]"), text);
}

/** Every form in which a message may quote a sensitive value, the longest first. */
function sensitiveTexts(value: Resolved): readonly string[] {
  const texts = new Set<string>();
  collectSensitive(value, texts);
  return [...texts]
    .filter((text) => text.length >= SHORTEST_HIDDEN)
    .sort((left, right) => right.length - left.length);
}

function collectSensitive(value: Resolved, texts: Set<string>): void {
  if (value instanceof Sensitive) collectLeaves(value.value, texts);
  else if (isList(value)) for (const item of value) collectSensitive(item, texts);
  else if (isObject(value)) {
    for (const member of Object.values(value)) collectSensitive(member, texts);
  }
}

function collectLeaves(value: Json, texts: Set<string>): void {
  if (typeof value === "string") {
    texts.add(value);
    texts.add(JSON.stringify(value).slice(1, -1));
    texts.add(encodeURIComponent(Buffer.from(value).toString()));
    texts.add(Buffer.from(value).toString("base64"));
    texts.add(Buffer.from(value).toString("base64url"));
  } else if (typeof value === "number") {
    texts.add(String(value));
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectLeaves(member, texts);
  }
}
