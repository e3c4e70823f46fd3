import { createCipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { CIPHER, NONCE_BYTES, TAG_BYTES } from "./open-links.ts";

/** JSON properties of links, by the link's name. */
export type LinkProperties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Links as a function gets them: the file lies beside its code, the key is in its environment. */
export interface SealedLinks {
  /** For the file that `SCRIM_RESOURCES_FILE` names. */
  readonly file: Uint8Array;
  /** For `SCRIM_KEY`: base64 of 32 bytes. */
  readonly key: string;
}

/**
 * Encrypts the properties of links, `App` (`name`, `stage`) among them. Without a key that is given, the key is new
 * each time, so two calls give different bytes for the same links.
 *
 * @param given a key of an earlier call, for a cloud that cannot change code and environment in one step. Then the
 * same links give the same bytes, so that it can be told whether the code is the wanted one.
 */
export function sealLinks(links: LinkProperties, given?: string): SealedLinks {
  const key = given === undefined ? randomBytes(32) : Buffer.from(given, "base64");
  const json = Buffer.from(JSON.stringify(links));
  const nonce = nonceFor(key, json);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const text = Buffer.concat([cipher.update(json), cipher.final()]);
  return {
    file: Buffer.concat([nonce, cipher.getAuthTag(), text]),
    key: key.toString("base64"),
  };
}

/** Under one key, other links have another nonce: it is a hash of them, under a key of its own. */
function nonceFor(key: Buffer, json: Buffer): Buffer {
  const nonceKey = Buffer.from(hkdfSync("sha256", key, "", "scrim links nonce v1", 32));
  return createHmac("sha256", nonceKey).update(json).digest().subarray(0, NONCE_BYTES);
}
