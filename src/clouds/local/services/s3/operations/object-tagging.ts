import { readText } from "../body/read-text.ts";
import { VerifiedBody } from "../body/verified-body.ts";
import { requireObject } from "../require-object.ts";
import { emptyReply, type S3Call, type S3Operation, xmlReply } from "../s3-call.ts";
import type { TextMap } from "../stored-json.ts";
import { parseTagDocument, tagElements } from "../tagging.ts";
import { writeXml } from "../xml.ts";
import { readXml } from "../xml-reader.ts";

/** Ten tags with the longest keys and values, every character written as a reference. */
const DOCUMENT_BYTES_MAX = 64 * 1024;

export const getObjectTagging: S3Operation = async (call) =>
  xmlReply(writeXml("Tagging", tagElements(requireObject(call).tags)));

export const putObjectTagging: S3Operation = async (call) => {
  requireObject(call);
  const body = new VerifiedBody(call.payload, call.headers);
  const text = await readText(body.chunks(), DOCUMENT_BYTES_MAX);
  await setTags(call, parseTagDocument(readXml(text, "Tagging")));
  return emptyReply(200);
};

export const deleteObjectTagging: S3Operation = async (call) => {
  await setTags(call, {});
  return emptyReply(204);
};

async function setTags(call: S3Call, tags: TextMap): Promise<void> {
  await call.store.database.commit(() => {
    call.store.objects.save({ ...requireObject(call), tags });
  });
}
