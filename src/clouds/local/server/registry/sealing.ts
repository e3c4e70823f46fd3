import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { EXIT, fail } from "../../../../model/diagnostic.ts";
import type { JsonObject } from "../../../../model/json.ts";
import type { ServerKey } from "./key-file.ts";

/** Encrypts parts of a spec at rest, bound to the one record they belong to. */
export interface Sealing {
  seal(place: SealedPlace, content: JsonObject): string;
  /**
   * @throws DiagnosticError `LOCAL_KEY_WRONG` (exit 6) when another key sealed it or it was changed
   */
  unseal(place: SealedPlace, sealed: string): JsonObject;
}

export interface SealedPlace {
  readonly stageKey: string;
  readonly type: string;
  readonly name: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Written as `v1.<key id>.<base64url of nonce, ciphertext and tag>`; AES-256-GCM, a random nonce
 * each time.
 */
export function createSealing(key: ServerKey): Sealing {
  const secret = key.derive("seal");
  return {
    seal: (place, content) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(placeBytes(place));
      const text = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
      const whole = Buffer.concat([nonce, text, cipher.getAuthTag()]);
      return `v1.${key.id}.${whole.toString("base64url")}`;
    },
    unseal: (place, sealed) => {
      const [version, keyId, body] = sealed.split(".");
      if (version !== "v1" || body === undefined || keyId !== key.id) throw wrongKey(place);
      return open(secret, place, Buffer.from(body, "base64url"));
    },
  };
}

function open(secret: Buffer, place: SealedPlace, whole: Buffer): JsonObject {
  if (whole.length < NONCE_BYTES + TAG_BYTES) throw wrongKey(place);
  const decipher = createDecipheriv("aes-256-gcm", secret, whole.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(placeBytes(place));
  decipher.setAuthTag(whole.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(whole.subarray(NONCE_BYTES, -TAG_BYTES));
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString("utf8")) as JsonObject;
  } catch {
    throw wrongKey(place);
  }
}

function placeBytes(place: SealedPlace): Buffer {
  return Buffer.from(["v1", place.stageKey, place.type, place.name].join("\0"));
}

function wrongKey(place: SealedPlace): Error {
  return fail("LOCAL_KEY_WRONG", `The environment of ${place.name} cannot be decrypted`, {
    why: "It was sealed with another key than the one this server has, or it was changed.",
    hint: "Restore the key file, or remove the stage and deploy it again.",
    exit: EXIT.home,
  });
}
