import { echoed, keyEncoder, parseCount } from "../list-elements.ts";
import { type S3Operation, xmlReply } from "../s3-call.ts";
import { notImplemented } from "../s3-error.ts";
import type { Upload } from "../upload-table.ts";
import { writeXml, type XmlElement } from "../xml.ts";

/** Sorts after every upload id, which are hex digits. */
const LAST_ID = "~";

export const listMultipartUploads: S3Operation = async ({ store, bucket, query }) => {
  store.buckets.require(bucket);
  if (query.has("delimiter")) throw notImplemented("ListMultipartUploads with a delimiter");
  const encode = keyEncoder(query);
  const max = parseCount(query, "max-uploads");
  const prefix = query.get("prefix") ?? "";
  const key = query.get("key-marker") ?? "";
  const marker = query.get("upload-id-marker") ?? "";
  const after = { key, id: key !== "" && marker === "" ? LAST_ID : marker };
  const found = uploadsUnder(prefix, store.uploads.list(bucket, first(prefix, after), -1));
  const uploads = found.slice(0, max);
  const last = uploads.at(-1);
  return xmlReply(
    writeXml("ListMultipartUploadsResult", [
      ["Bucket", bucket],
      ["KeyMarker", encode(key)],
      ["UploadIdMarker", marker],
      ["NextKeyMarker", encode(last?.key ?? "")],
      ["NextUploadIdMarker", last?.id ?? ""],
      ["MaxUploads", max],
      echoed(query, "encoding-type", "EncodingType"),
      ["IsTruncated", found.length > uploads.length],
      echoed(query, "prefix", "Prefix", encode),
      ...uploads.map((upload) => uploadElement(upload, encode(upload.key))),
    ]),
  );
};

/** Where to begin: at the marker, or before the first key of the prefix when that comes later. */
function first(prefix: string, after: { readonly key: string; readonly id: string }) {
  const isLater = Buffer.compare(Buffer.from(prefix), Buffer.from(after.key)) > 0;
  return isLater ? { key: prefix, id: "" } : after;
}

function uploadsUnder(prefix: string, uploads: readonly Upload[]): readonly Upload[] {
  return uploads.filter((upload) => upload.key.startsWith(prefix));
}

function uploadElement(upload: Upload, key: string): XmlElement {
  return [
    "Upload",
    [
      ["Key", key],
      ["UploadId", upload.id],
      ["StorageClass", upload.headers["x-amz-storage-class"] ?? "STANDARD"],
      ["Initiated", new Date(upload.initiatedMs).toISOString()],
      upload.checksum === null ? null : ["ChecksumAlgorithm", upload.checksum.algorithm],
    ],
  ];
}
