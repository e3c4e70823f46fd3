import {
  contentsElement,
  echoed,
  keyEncoder,
  parseCount,
  prefixElement,
} from "../list-elements.ts";
import { afterKey, listPage } from "../list-page.ts";
import { type S3Operation, xmlReply } from "../s3-call.ts";
import { invalidArgument } from "../s3-error.ts";
import { writeXml } from "../xml.ts";

export const listObjectsV2: S3Operation = async ({ store, bucket, query }) => {
  store.buckets.require(bucket);
  const encode = keyEncoder(query);
  const max = parseCount(query, "max-keys");
  const token = query.get("continuation-token");
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const from = token === undefined ? startAfter(query.get("start-after")) : parseToken(token);
  const page = listPage(store.objects, { bucket, prefix, delimiter, from, max });
  return xmlReply(
    writeXml("ListBucketResult", [
      ["Name", bucket],
      ["Prefix", encode(prefix)],
      echoed(query, "delimiter", "Delimiter", encode),
      ["MaxKeys", max],
      echoed(query, "encoding-type", "EncodingType"),
      echoed(query, "start-after", "StartAfter", encode),
      echoed(query, "continuation-token", "ContinuationToken"),
      ["KeyCount", page.objects.length + page.prefixes.length],
      ["IsTruncated", page.next !== null],
      page.next === null ? null : ["NextContinuationToken", page.next.toString("base64url")],
      ...page.objects.map((object) => contentsElement(object, encode)),
      ...page.prefixes.map((common) => prefixElement(common, encode)),
    ]),
  );
};

function startAfter(key: string | undefined): Uint8Array {
  return key === undefined || key === "" ? Buffer.alloc(0) : afterKey(Buffer.from(key));
}

/** A token is the first byte string that the next page may hold. */
function parseToken(token: string): Uint8Array {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length === 0 || bytes.toString("base64url") !== token)
    throw invalidArgument("The continuation token provided is incorrect", "continuation-token");
  return bytes;
}
