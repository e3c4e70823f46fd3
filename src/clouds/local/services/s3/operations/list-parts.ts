import { checksumElement } from "../checksum/checksum.ts";
import { parseCount } from "../list-elements.ts";
import { type S3Operation, xmlReply } from "../s3-call.ts";
import { invalidArgument } from "../s3-error.ts";
import type { Part } from "../upload-table.ts";
import { writeXml, type XmlElement } from "../xml.ts";

export const listParts: S3Operation = async ({ store, bucket, key, query }) => {
  const upload = store.uploads.require(query.get("uploadId") ?? "", bucket, key);
  const max = parseCount(query, "max-parts");
  const marker = query.get("part-number-marker") ?? "0";
  if (!/^\d{1,5}$/.test(marker))
    throw invalidArgument("part-number-marker must be an integer", "part-number-marker", marker);
  const found = store.uploads.parts(upload.id, Number(marker), max + 1);
  const parts = found.slice(0, max);
  const checksum = upload.checksum;
  return xmlReply(
    writeXml("ListPartsResult", [
      ["Bucket", bucket],
      ["Key", key],
      ["UploadId", upload.id],
      ["StorageClass", upload.headers["x-amz-storage-class"] ?? "STANDARD"],
      checksum === null ? null : ["ChecksumAlgorithm", checksum.algorithm],
      checksum === null ? null : ["ChecksumType", checksum.type],
      ["PartNumberMarker", marker],
      ["NextPartNumberMarker", parts.at(-1)?.number ?? 0],
      ["MaxParts", max],
      ["IsTruncated", found.length > parts.length],
      ...parts.map(partElement),
    ]),
  );
};

function partElement(part: Part): XmlElement {
  const { checksum } = part;
  return [
    "Part",
    [
      ["PartNumber", part.number],
      ["LastModified", new Date(part.modifiedMs).toISOString()],
      ["ETag", `"${part.etag}"`],
      ["Size", part.size],
      checksum === null ? null : [checksumElement(checksum.algorithm), checksum.value],
    ],
  ];
}
