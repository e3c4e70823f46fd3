import { BodyDigest } from "../body/body-digest.ts";
import {
  type ChecksumAlgorithm,
  checksumElement,
  parseChecksumAlgorithm,
} from "../checksum/checksum.ts";
import { checkWriteConditions } from "../conditions.ts";
import { openCopySource } from "../copy-source.ts";
import { readObjectHeaders } from "../object-headers.ts";
import { checkKeyLength } from "../object-key.ts";
import type { StoredObject } from "../object-table.ts";
import { type S3Call, type S3Operation, xmlReply } from "../s3-call.ts";
import { invalidArgument, invalidRequest } from "../s3-error.ts";
import { saveObject } from "../save-object.ts";
import { checkBodySize, storeBody } from "../stored-body.ts";
import { parseTagHeader } from "../tagging.ts";
import { writeXml } from "../xml.ts";

export const copyObject: S3Operation = async (call) => {
  checkKeyLength(call.key);
  call.store.buckets.require(call.bucket);
  const source = openCopySource(call);
  try {
    return await copy(call, source.object);
  } finally {
    source.release();
  }
};

async function copy(call: S3Call, source: StoredObject) {
  const { store, bucket, key, headers: sent, nowMs: modifiedMs } = call;
  const { headers, tags } = describeCopy(call, source);
  checkBodySize(source.size);
  const digest = new BodyDigest(wantedAlgorithm(sent.get("x-amz-checksum-algorithm"), source));
  const bytes = store.blobs.read(source.segments, 0, source.size);
  const segments = await storeBody(store.blobs, digest.pass(bytes));
  const { md5, checksum } = digest.finish();
  const etag = md5.toString("hex");
  const object = {
    bucket,
    key,
    segments,
    size: source.size,
    etag,
    modifiedMs,
    headers,
    tags,
    checksum,
  };
  try {
    await saveObject(store, object, {
      check: (current) => checkWriteConditions(sent, key, current),
    });
  } catch (error) {
    await store.blobs.delete(segments);
    throw error;
  }
  return xmlReply(
    writeXml("CopyObjectResult", [
      ["LastModified", new Date(modifiedMs).toISOString()],
      ["ETag", `"${etag}"`],
      checksum === null ? null : [checksumElement(checksum.algorithm), checksum.value],
      checksum === null ? null : ["ChecksumType", checksum.type],
    ]),
  );
}

/** Headers and tags of the copy: the source's, or new ones where a directive says REPLACE. */
function describeCopy(call: S3Call, source: StoredObject): Pick<StoredObject, "headers" | "tags"> {
  const replaceHeaders = isReplace(call, "x-amz-metadata-directive");
  const replaceTags = isReplace(call, "x-amz-tagging-directive");
  const sent = readObjectHeaders(call.headers);
  const same = source.bucket === call.bucket && source.key === call.key;
  const changed = replaceHeaders || replaceTags || sent["x-amz-storage-class"] !== undefined;
  if (same && !changed)
    throw invalidRequest(
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  return {
    headers: replaceHeaders ? sent : source.headers,
    tags: replaceTags ? parseTagHeader(call.headers.get("x-amz-tagging")) : source.tags,
  };
}

function isReplace(call: S3Call, header: string): boolean {
  const directive = call.headers.get(header)?.toUpperCase() ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE")
    throw invalidArgument("Unknown directive.", header, directive);
  return directive === "REPLACE";
}

function wantedAlgorithm(header: string | null, source: StoredObject): ChecksumAlgorithm | null {
  if (header === null) return source.checksum?.algorithm ?? null;
  const algorithm = parseChecksumAlgorithm(header);
  if (algorithm === null) throw invalidRequest("Checksum algorithm provided is unsupported.");
  return algorithm;
}
