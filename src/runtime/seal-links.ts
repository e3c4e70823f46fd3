import { createCipheriv, randomBytes } from "node:crypto";
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
 * Encrypts the properties of links, `App` (`name`, `stage`) among them. Key and nonce are new each time, so two calls
 * give different bytes for the same links.
 */
export function sealLinks(links: LinkProperties): SealedLinks {
  const key = randomBytes(32);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const text = Buffer.concat([cipher.update(JSON.stringify(links)), cipher.final()]);
  return {
    file: Buffer.concat([nonce, cipher.getAuthTag(), text]),
    key: key.toString("base64"),
  };
}
