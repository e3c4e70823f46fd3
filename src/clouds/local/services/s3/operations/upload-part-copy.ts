import { BodyDigest } from "../body/body-digest.ts";
import { parseByteRange } from "../byte-range.ts";
import { checksumElement } from "../checksum/checksum.ts";
import { openCopySource } from "../copy-source.ts";
import type { StoredObject } from "../object-table.ts";
import { parsePartNumber } from "../part-number.ts";
import { type S3Call, type S3Operation, type S3Reply, xmlReply } from "../s3-call.ts";
import { invalidArgument } from "../s3-error.ts";
import { savePart } from "../save-part.ts";
import { storeBody } from "../stored-body.ts";
import { writeXml } from "../xml.ts";

export const uploadPartCopy: S3Operation = async (call) => {
  const source = openCopySource(call);
  try {
    return await copyPart(call, source.object);
  } finally {
    source.release();
  }
};

async function copyPart(call: S3Call, source: StoredObject): Promise<S3Reply> {
  const { store, nowMs: modifiedMs } = call;
  const number = parsePartNumber(call.query);
  const upload = store.uploads.require(call.query.get("uploadId") ?? "", call.bucket, call.key);
  const { start, end } = rangeOf(call, source);
  const digest = new BodyDigest(upload.checksum?.algorithm ?? null);
  const bytes = store.blobs.read(source.segments, start, end);
  const segments = await storeBody(store.blobs, digest.pass(bytes));
  const { md5, checksum } = digest.finish();
  const etag = md5.toString("hex");
  await savePart(store, upload, {
    number,
    segments,
    size: end - start,
    etag,
    modifiedMs,
    checksum,
  });
  return xmlReply(
    writeXml("CopyPartResult", [
      ["LastModified", new Date(modifiedMs).toISOString()],
      ["ETag", `"${etag}"`],
      checksum === null ? null : [checksumElement(checksum.algorithm), checksum.value],
    ]),
  );
}

/** Unlike a Range header, this one must be exact: first and last byte, both within the source. */
function rangeOf(call: S3Call, source: StoredObject) {
  const header = call.headers.get("x-amz-copy-source-range");
  if (header === null) return { start: 0, end: source.size };
  const range = /^bytes=\d+-\d+$/.test(header) ? parseByteRange(header, source.size) : null;
  const last = Number(header.split("-")[1]);
  if (range === null || last >= source.size)
    throw invalidArgument(
      "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy",
      "x-amz-copy-source-range",
      header,
    );
  return range;
}
