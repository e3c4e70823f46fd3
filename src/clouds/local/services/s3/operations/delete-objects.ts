import { readText } from "../body/read-text.ts";
import { VerifiedBody } from "../body/verified-body.ts";
import { refuseVersion } from "../require-object.ts";
import { type S3Operation, xmlReply } from "../s3-call.ts";
import { invalidRequest, S3Error } from "../s3-error.ts";
import { writeXml, type XmlElement } from "../xml.ts";
import { readXml } from "../xml-reader.ts";

const KEYS_MAX = 1000;
/**
 * A thousand keys of 1,024 bytes, each byte written as a reference of up to six characters, and the
 * tags.
 */
const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;

export const deleteObjects: S3Operation = async ({ store, bucket, headers, payload }) => {
  store.buckets.require(bucket);
  const body = new VerifiedBody(payload, headers);
  if (!body.promised)
    throw invalidRequest(
      "Missing required header for this request: Content-MD5 OR x-amz-checksum-*",
    );
  const document = readXml(await readText(body.chunks(), DOCUMENT_BYTES_MAX), "Delete");
  const entries = document.all("Object");
  if (entries.length < 1 || entries.length > KEYS_MAX)
    throw new S3Error(400, "MalformedXML", `Delete takes from 1 to ${KEYS_MAX} objects`);
  for (const entry of entries) refuseVersion(entry.text("VersionId"));
  const keys = entries.map((entry) => entry.required("Key"));
  const garbage = await store.database.commit(() => {
    store.buckets.require(bucket);
    return keys.flatMap((key) => {
      const segments = store.objects.find(bucket, key)?.segments ?? [];
      store.objects.delete(bucket, key);
      return segments;
    });
  });
  await store.blobs.delete(garbage);
  const quiet = document.text("Quiet") === "true";
  const deleted = keys.map((key): XmlElement => ["Deleted", [["Key", key]]]);
  return xmlReply(writeXml("DeleteResult", quiet ? [] : deleted));
};
