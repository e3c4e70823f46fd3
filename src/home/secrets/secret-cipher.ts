import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "../../model/world.ts";
import { deriveKey } from "../keys/app-key.ts";
import type { AppKey } from "../keys/key-ring.ts";

/** What a secret belongs to. It is authenticated, so that a value moved to another place cannot be read there. */
export interface SecretPlace {
  readonly app: string;
  /** Null for the fallback. */
  readonly stage: string | null;
  readonly name: string;
}

/** AES-256-GCM with the nonce and tag lengths of NIST SP 800-38D. */
const ALGORITHM = "aes-256-gcm";
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const SEALED = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]+)$/;

/** `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. */
export function encryptSecret(
  key: AppKey,
  place: SecretPlace,
  value: string,
  random: Random,
): string {
  const nonce = random.bytes(NONCE_LENGTH);
  const cipher = createCipheriv(ALGORITHM, deriveKey(key, "secrets"), nonce, {
    authTagLength: TAG_LENGTH,
  });
  cipher.setAAD(bindingOf(place, key.id));
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${key.id}.${Buffer.from(nonce).toString("base64url")}.${text.toString("base64url")}`;
}

/** The id of the key that encrypted a value; null when it is not of our form. */
export function keyIdOf(sealed: string): string | null {
  return SEALED.exec(sealed)?.[1] ?? null;
}

/** Null when the key, the place or any bit of the value is not what it was. */
export function decryptSecret(key: AppKey, place: SecretPlace, sealed: string): string | null {
  const [, keyId, nonce, text] = SEALED.exec(sealed) ?? [];
  const bytes = Buffer.from(text ?? "", "base64url");
  if (keyId !== key.id || nonce === undefined || bytes.length < TAG_LENGTH) return null;
  const decipher = createDecipheriv(
    ALGORITHM,
    deriveKey(key, "secrets"),
    Buffer.from(nonce, "base64url"),
    { authTagLength: TAG_LENGTH },
  );
  decipher.setAAD(bindingOf(place, key.id));
  decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
  try {
    const head = decipher.update(bytes.subarray(0, -TAG_LENGTH));
    return Buffer.concat([head, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function bindingOf({ app, stage, name }: SecretPlace, keyId: string): Buffer {
  return Buffer.from(JSON.stringify(["scrim-secret-v1", app, stage, name, keyId]), "utf8");
}
