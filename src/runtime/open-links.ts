import { createDecipheriv } from "node:crypto";

export const CIPHER = "aes-256-gcm";
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/**
 * Opens what {@link sealLinks} made: nonce (12 bytes), tag (16), AES-256-GCM of the JSON.
 *
 * @param key base64 of 32 bytes
 * @throws Error when the file is not whole or the key is another's
 */
export function openLinks(file: Uint8Array, key: string): string {
  try {
    const nonce = file.subarray(0, NONCE_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, "base64"), nonce, options);
    decipher.setAuthTag(file.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const plain = decipher.update(file.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]).toString();
  } catch {
    throw new Error("The links of this function cannot be decrypted with its key. Deploy again.");
  }
}
