import { VerifiedBody } from "../body/verified-body.ts";
import { checksumHeaders } from "../object-headers.ts";
import { parsePartNumber } from "../part-number.ts";
import { emptyReply, type S3Operation } from "../s3-call.ts";
import { savePart } from "../save-part.ts";
import { checkBodySize, storeBody } from "../stored-body.ts";
import { missingLength } from "./put-object.ts";

export const uploadPart: S3Operation = async (call) => {
  const { store, headers, payload, nowMs } = call;
  const number = parsePartNumber(call.query);
  const upload = store.uploads.require(call.query.get("uploadId") ?? "", call.bucket, call.key);
  if (payload.size === null) throw missingLength();
  checkBodySize(payload.size);
  const body = new VerifiedBody(payload, headers, upload.checksum?.algorithm ?? null);
  const segments = await storeBody(store.blobs, body.chunks());
  const { etag, checksum } = body;
  const part = { number, segments, size: payload.size, etag, modifiedMs: nowMs, checksum };
  await savePart(store, upload, part);
  return emptyReply(200, { etag: `"${etag}"`, ...partChecksum(part) });
};

function partChecksum(part: Parameters<typeof checksumHeaders>[0]): Record<string, string> {
  const { "x-amz-checksum-type": _, ...value } = checksumHeaders(part);
  return value;
}
