import { parseByteRange } from "../byte-range.ts";
import { checkReadConditions } from "../conditions.ts";
import { checkHeaderValues, checksumHeaders, validatorHeaders } from "../object-headers.ts";
import type { StoredObject } from "../object-table.ts";
import { requireObject } from "../require-object.ts";
import { emptyReply, type S3Call, type S3Operation, type S3Reply } from "../s3-call.ts";
import { notImplemented } from "../s3-error.ts";
import type { TextMap } from "../stored-json.ts";

/** Query parameters that replace a header of the answer. */
const OVERRIDES = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
];

export const getObject: S3Operation = async (call) => {
  const object = requireObject(call);
  const head = headOf(call, object);
  if (head.status === 304) return head;
  const { start, end } = rangeOf(call, object) ?? { start: 0, end: object.size };
  const release = call.store.blobs.hold(object.segments);
  return { ...head, body: call.store.blobs.read(object.segments, start, end), release };
};

/** Status and headers of a GetObject or HeadObject. @throws S3Error */
export function headOf(call: S3Call, object: StoredObject): S3Reply {
  if (call.query.has("partNumber")) throw notImplemented("reading single parts (partNumber)");
  const validators = validatorHeaders(object);
  if (checkReadConditions(call.headers, object) === "not-modified")
    return emptyReply(304, validators);
  const range = rangeOf(call, object);
  const { start, end } = range ?? { start: 0, end: object.size };
  const withChecksum =
    range === null && call.headers.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED";
  const tagCount = Object.keys(object.tags).length;
  return emptyReply(range === null ? 200 : 206, {
    ...object.headers,
    ...validators,
    ...(withChecksum ? checksumHeaders(object) : {}),
    ...(tagCount === 0 ? {} : { "x-amz-tagging-count": String(tagCount) }),
    ...overriddenHeaders(call),
    "content-length": String(end - start),
    ...(range === null ? {} : { "content-range": `bytes ${start}-${end - 1}/${object.size}` }),
  });
}

function rangeOf(call: S3Call, object: StoredObject) {
  return parseByteRange(call.headers.get("range"), object.size);
}

function overriddenHeaders(call: S3Call): TextMap {
  const overridden: Record<string, string> = {};
  for (const name of OVERRIDES) {
    const value = call.query.get(`response-${name}`);
    if (value !== undefined) overridden[name] = value;
  }
  return checkHeaderValues(overridden);
}
