import {
  contentsElement,
  echoed,
  keyEncoder,
  parseCount,
  prefixElement,
} from "../list-elements.ts";
import { afterKey, listPage } from "../list-page.ts";
import { successorOf } from "../object-key.ts";
import { type S3Operation, xmlReply } from "../s3-call.ts";
import { writeXml } from "../xml.ts";

export const listObjects: S3Operation = async ({ store, bucket, query }) => {
  store.buckets.require(bucket);
  const encode = keyEncoder(query);
  const max = parseCount(query, "max-keys");
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const marker = query.get("marker") ?? "";
  const from = afterMarker(marker, delimiter);
  const page = listPage(store.objects, { bucket, prefix, delimiter, from, max });
  return xmlReply(
    writeXml("ListBucketResult", [
      ["Name", bucket],
      ["Prefix", encode(prefix)],
      ["Marker", encode(marker)],
      echoed(query, "delimiter", "Delimiter", encode),
      ["MaxKeys", max],
      echoed(query, "encoding-type", "EncodingType"),
      ["IsTruncated", page.next !== null],
      // S3 sends it only with a delimiter; without one the last key is the next marker.
      page.next !== null && delimiter !== "" ? ["NextMarker", encode(page.last)] : null,
      ...page.objects.map((object) => contentsElement(object, encode)),
      ...page.prefixes.map((common) => prefixElement(common, encode)),
    ]),
  );
};

/** A marker that is a common prefix stands for everything under it. */
function afterMarker(marker: string, delimiter: string): Uint8Array {
  if (marker === "") return Buffer.alloc(0);
  const bytes = Buffer.from(marker);
  const isPrefix = delimiter !== "" && marker.endsWith(delimiter);
  return (isPrefix ? successorOf(bytes) : null) ?? afterKey(bytes);
}
