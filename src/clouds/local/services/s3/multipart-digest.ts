import { createHash } from "node:crypto";
import { badDigest } from "./body/verified-body.ts";
import { checksumHeader, createChecksum, type StoredChecksum } from "./checksum/checksum.ts";
import type { S3Call } from "./s3-call.ts";
import type { Part, Upload } from "./upload-table.ts";

/** MD5 of the parts' MD5s, with the number of parts. */
export function etagOfParts(parts: readonly Part[]): string {
  const hash = createHash("md5");
  for (const part of parts) hash.update(Buffer.from(part.etag, "hex"));
  return `${hash.digest("hex")}-${parts.length}`;
}

/**
 * The checksum of the kind that the upload was started with; null when it was started with none.
 *
 * @throws S3Error `BadDigest` when the client expects another
 */
export async function checksumOfParts(
  call: S3Call,
  upload: Upload,
  parts: readonly Part[],
): Promise<StoredChecksum | null> {
  if (upload.checksum === null) return null;
  const { algorithm, type } = upload.checksum;
  const composite = type === "COMPOSITE";
  const digest = composite
    ? compositeOf(upload.checksum, parts)
    : await fullOf(call, upload, parts);
  const value = digest.toString("base64");
  const expected = call.headers.get(checksumHeader(algorithm));
  const written = composite ? `${value}-${parts.length}` : value;
  if (expected !== null && expected !== value && expected !== written) throw badDigest(algorithm);
  return { algorithm, type, value: written };
}

function compositeOf(wanted: StoredChecksum, parts: readonly Part[]): Buffer {
  const checksum = createChecksum(wanted.algorithm);
  for (const part of parts) checksum.update(Buffer.from(part.checksum?.value ?? "", "base64"));
  return checksum.digest();
}

async function fullOf(call: S3Call, upload: Upload, parts: readonly Part[]): Promise<Buffer> {
  const checksum = createChecksum(upload.checksum?.algorithm ?? "CRC32");
  for (const part of parts)
    for await (const chunk of call.store.blobs.read(part.segments, 0, part.size))
      checksum.update(chunk);
  return checksum.digest();
}
