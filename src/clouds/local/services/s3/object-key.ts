import { S3Error } from "./s3-error.ts";

/** A key may have 1,024 bytes of UTF-8 (S3 user guide, "Naming objects"). */
const KEY_BYTES_MAX = 1024;

/** @throws S3Error `KeyTooLongError` */
export function checkKeyLength(key: string): void {
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return;
  throw new S3Error(400, "KeyTooLongError", "Your key is too long", {
    Size: String(Buffer.byteLength(key)),
    MaxSizeAllowed: String(KEY_BYTES_MAX),
  });
}

/**
 * The first byte string that sorts after everything that starts with `prefix`; null when there is
 * none.
 */
export function successorOf(prefix: Uint8Array): Buffer | null {
  const bytes = Buffer.from(prefix);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const byte = bytes[at] ?? 0xff;
    if (byte === 0xff) continue;
    bytes[at] = byte + 1;
    return bytes.subarray(0, at + 1);
  }
  return null;
}
