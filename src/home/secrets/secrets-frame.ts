import { type Envelope, openEnvelope, sealEnvelope } from "../log/envelope.ts";
import { FormError, intAt, listAt, objectOf, textAt } from "../log/form.ts";
import { FORMAT, newerFormat } from "../log/frame.ts";
import { keyIdOf } from "./secret-cipher.ts";

/** One secret as it is kept. */
export interface SecretEntry {
  readonly name: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly keyId: string;
  /** Encrypted; see secret-cipher.ts. */
  readonly value: string;
}

/** All secrets of one log after one commit; the newest frame alone says everything. */
export interface SecretsFrame {
  readonly slot: number;
  /** Random identity of the writer of this frame, 32 hex digits. */
  readonly writer: string;
  /** Hash of the frame in the slot before; empty for slot 1. */
  readonly previous: string;
  /** By name. */
  readonly entries: readonly SecretEntry[];
}

export type SecretsReading =
  | { readonly kind: "whole"; readonly frame: SecretsFrame; readonly hash: string }
  | { readonly kind: "torn"; readonly hash: string }
  | { readonly kind: "damaged"; readonly why: string }
  | { readonly kind: "too-new"; readonly requires: string | null };

export function encodeSecretsFrame(frame: SecretsFrame): Envelope {
  const { slot, writer, previous } = frame;
  const secrets = frame.entries.map(({ name, updatedAt, value }) => ({ name, updatedAt, value }));
  return sealEnvelope(JSON.stringify({ format: FORMAT, slot, writer, previous, secrets }));
}

/** The one reader of secrets frames. Never throws. */
export function readSecretsFrame(bytes: Uint8Array, slot: number): SecretsReading {
  const opened = openEnvelope(bytes);
  if (opened.kind !== "whole") return opened;
  try {
    const tooNew = newerFormat(opened.value);
    if (tooNew !== null) return { kind: "too-new", ...tooNew };
    const frame = parseFrame(opened.value);
    if (frame.slot === slot) return { kind: "whole", frame, hash: opened.hash };
    return { kind: "damaged", why: `it is the frame of slot ${frame.slot}` };
  } catch (error) {
    if (error instanceof FormError) return { kind: "damaged", why: error.message };
    throw error;
  }
}

function parseFrame(value: unknown): SecretsFrame {
  const object = objectOf(value, "frame");
  return {
    slot: intAt(object, "slot"),
    writer: textAt(object, "writer"),
    previous: textAt(object, "previous"),
    entries: listAt(object, "secrets").map(parseEntry),
  };
}

function parseEntry(value: unknown): SecretEntry {
  const object = objectOf(value, "secret");
  const sealed = textAt(object, "value");
  const keyId = keyIdOf(sealed);
  if (keyId === null) throw new FormError("a value of it is not encrypted as it should be");
  return {
    name: textAt(object, "name"),
    updatedAt: textAt(object, "updatedAt"),
    keyId,
    value: sealed,
  };
}
