import { VerifiedBody } from "../body/verified-body.ts";
import { checkWriteConditions } from "../conditions.ts";
import { checksumHeaders, readObjectHeaders } from "../object-headers.ts";
import { checkKeyLength } from "../object-key.ts";
import { emptyReply, type S3Operation } from "../s3-call.ts";
import { S3Error } from "../s3-error.ts";
import { saveObject } from "../save-object.ts";
import { checkBodySize, storeBody } from "../stored-body.ts";
import { parseTagHeader } from "../tagging.ts";

export const putObject: S3Operation = async ({ store, bucket, key, headers, payload, nowMs }) => {
  store.buckets.require(bucket);
  checkKeyLength(key);
  if (payload.size === null) throw missingLength();
  checkBodySize(payload.size);
  const kept = readObjectHeaders(headers);
  const tags = parseTagHeader(headers.get("x-amz-tagging"));
  checkWriteConditions(headers, key, store.objects.find(bucket, key));
  const body = new VerifiedBody(payload, headers);
  const segments = await storeBody(store.blobs, body.chunks());
  const { etag, checksum } = body;
  const size = payload.size;
  const object = {
    bucket,
    key,
    segments,
    size,
    etag,
    checksum,
    headers: kept,
    tags,
    modifiedMs: nowMs,
  };
  try {
    await saveObject(store, object, {
      check: (current) => checkWriteConditions(headers, key, current),
    });
  } catch (error) {
    await store.blobs.delete(segments);
    throw error;
  }
  return emptyReply(200, { etag: `"${etag}"`, ...checksumHeaders(object) });
};

/** S3 takes no body of unknown length, and neither would the stage on AWS. */
export function missingLength(): S3Error {
  return new S3Error(
    411,
    "MissingContentLength",
    "You must provide the Content-Length HTTP header.",
  );
}
