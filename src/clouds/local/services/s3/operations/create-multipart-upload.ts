import { randomBytes } from "node:crypto";
import {
  type ChecksumType,
  parseChecksumAlgorithm,
  type StoredChecksum,
} from "../checksum/checksum.ts";
import { readObjectHeaders } from "../object-headers.ts";
import { checkKeyLength } from "../object-key.ts";
import type { RequestHeaders } from "../request-headers.ts";
import { type S3Operation, xmlReply } from "../s3-call.ts";
import { invalidRequest } from "../s3-error.ts";
import { parseTagHeader } from "../tagging.ts";
import { writeXml } from "../xml.ts";

export const createMultipartUpload: S3Operation = async (call) => {
  const { store, bucket, key, headers, nowMs } = call;
  checkKeyLength(key);
  const id = randomBytes(24).toString("hex");
  const checksum = readWantedChecksum(headers);
  const upload = {
    id,
    bucket,
    key,
    initiatedMs: nowMs,
    headers: readObjectHeaders(headers),
    tags: parseTagHeader(headers.get("x-amz-tagging")),
    checksum,
  };
  await store.database.commit(() => {
    store.buckets.require(bucket);
    store.uploads.create(upload);
  });
  const echoed: Record<string, string> =
    checksum === null
      ? {}
      : {
          "x-amz-checksum-algorithm": checksum.algorithm,
          "x-amz-checksum-type": checksum.type,
        };
  const elements = [
    ["Bucket", bucket],
    ["Key", key],
    ["UploadId", id],
  ] as const;
  return xmlReply(writeXml("InitiateMultipartUploadResult", elements), echoed);
};

/**
 * CRC-64/NVME can only cover the whole object; SHA only the parts' checksums; for the others both
 * exist.
 */
function readWantedChecksum(headers: RequestHeaders): StoredChecksum | null {
  const header = headers.get("x-amz-checksum-algorithm");
  if (header === null) return null;
  const algorithm = parseChecksumAlgorithm(header);
  if (algorithm === null) throw invalidRequest("Checksum algorithm provided is unsupported.");
  const natural: ChecksumType = algorithm === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE";
  const type = headers.get("x-amz-checksum-type")?.toUpperCase() ?? natural;
  const isSha = algorithm === "SHA1" || algorithm === "SHA256";
  const possible =
    type === natural || (type === "FULL_OBJECT" && !isSha && algorithm !== "CRC64NVME");
  if (!possible || (type !== "FULL_OBJECT" && type !== "COMPOSITE"))
    throw invalidRequest(
      `The ${type} checksum type cannot be used with the ${algorithm} checksum algorithm.`,
    );
  return { algorithm, type, value: "" };
}
