import { readText } from "../body/read-text.ts";
import { checksumElement } from "../checksum/checksum.ts";
import { checkChosenParts, parseChosenParts } from "../chosen-parts.ts";
import { checkWriteConditions } from "../conditions.ts";
import { checksumOfParts, etagOfParts } from "../multipart-digest.ts";
import type { StoredObject } from "../object-table.ts";
import { type S3Call, type S3Operation, xmlReply } from "../s3-call.ts";
import { S3Error } from "../s3-error.ts";
import { saveObject } from "../save-object.ts";
import type { Part, Upload } from "../upload-table.ts";
import { writeXml } from "../xml.ts";
import { readXml } from "../xml-reader.ts";

/** Ten thousand parts with a checksum each. */
const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The object takes over the parts' files as they are, so that completing costs the same for any
 * size.
 */
export const completeMultipartUpload: S3Operation = async (call) => {
  const { store, bucket, key, headers, query } = call;
  const upload = store.uploads.require(query.get("uploadId") ?? "", bucket, key);
  // The checksum headers of this request are about the object, not about the document in the body.
  const text = await readText(call.payload.chunks(), DOCUMENT_BYTES_MAX);
  const chosen = parseChosenParts(readXml(text, "CompleteMultipartUpload"));
  const parts = checkChosenParts(chosen, store.uploads.parts(upload.id));
  const release = store.blobs.hold(parts.flatMap((part) => part.segments));
  try {
    const object = await assemble(call, upload, parts);
    await saveObject(store, object, {
      check: (current) => checkWriteConditions(headers, key, current),
      along: () => finishUpload(call, upload, parts),
    });
    return xmlReply(resultDocument(object));
  } finally {
    release();
  }
};

async function assemble(
  call: S3Call,
  upload: Upload,
  parts: readonly Part[],
): Promise<StoredObject> {
  const { bucket, key, headers } = upload;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const declaredSize = call.headers.get("x-amz-mp-object-size");
  if (declaredSize !== null && declaredSize !== String(size))
    throw new S3Error(
      400,
      "InvalidRequest",
      `The provided object size ${declaredSize} does not match the ${size} bytes of the parts`,
    );
  return {
    bucket,
    key,
    headers,
    tags: upload.tags,
    segments: parts.flatMap((part) => part.segments),
    size,
    etag: etagOfParts(parts),
    modifiedMs: call.nowMs,
    checksum: await checksumOfParts(call, upload, parts),
  };
}

/** Ends the upload in the same commit; parts that were not chosen become garbage. */
function finishUpload(call: S3Call, upload: Upload, chosen: readonly Part[]) {
  const { uploads } = call.store;
  uploads.require(upload.id, upload.bucket, upload.key);
  const wanted = new Set(chosen.flatMap((part) => part.segments.map(({ blob }) => blob)));
  const now = uploads.parts(upload.id).flatMap((part) => part.segments);
  const rest = now.filter(({ blob }) => !wanted.has(blob));
  if (now.length - rest.length !== wanted.size)
    throw new S3Error(
      409,
      "OperationAborted",
      "A part was uploaded again while the upload was being completed. Please try again.",
    );
  uploads.delete(upload.id);
  return rest;
}

function resultDocument(object: StoredObject): string {
  const { checksum } = object;
  return writeXml("CompleteMultipartUploadResult", [
    ["Location", `/${object.bucket}/${object.key}`],
    ["Bucket", object.bucket],
    ["Key", object.key],
    ["ETag", `"${object.etag}"`],
    checksum === null ? null : [checksumElement(checksum.algorithm), checksum.value],
    checksum === null ? null : ["ChecksumType", checksum.type],
  ]);
}
