import { hkdfSync } from "node:crypto";
import type { AppKey } from "./key-ring.ts";

/** What a key is used for; each use has a key of its own, derived with HKDF (RFC 5869). */
export type KeyUse = "key id" | "secrets" | "sealed values";

const KEY_LENGTH = 32;
const TEXT = /^scrim-key-1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{43})$/;

export function appKeyOf(bytes: Uint8Array): AppKey {
  if (bytes.length !== KEY_LENGTH) throw new Error(`a key has ${KEY_LENGTH} bytes`);
  return { id: Buffer.from(derive(bytes, "key id", 8)).toString("hex"), bytes };
}

/** The key for one use, 32 bytes. */
export function deriveKey(key: AppKey, use: KeyUse): Uint8Array {
  return derive(key.bytes, use, KEY_LENGTH);
}

/** A key as one line of text: a version, its id, its bytes in base64url. */
export function keyText(key: AppKey): string {
  return `scrim-key-1.${key.id}.${Buffer.from(key.bytes).toString("base64url")}`;
}

/** Reads what {@link keyText} wrote; null for anything else, such as a line with a typing error. */
export function parseKeyText(text: string): AppKey | null {
  const match = TEXT.exec(text.trim());
  const bytes = Buffer.from(match?.[2] ?? "", "base64url");
  if (match === null || bytes.length !== KEY_LENGTH) return null;
  const key = appKeyOf(bytes);
  return key.id === match[1] ? key : null;
}

function derive(bytes: Uint8Array, use: KeyUse, length: number): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", bytes, "", `scrim ${use}`, length));
}
