import { checkReadConditions } from "./conditions.ts";
import type { StoredObject } from "./object-table.ts";
import type { S3Call } from "./s3-call.ts";
import { invalidArgument, noSuchKey, notImplemented, preconditionFailed } from "./s3-error.ts";

export interface CopySource {
  readonly object: StoredObject;
  /** Lets the source's files go; always call it. */
  readonly release: () => void;
}

/**
 * Finds the object that `x-amz-copy-source` names and keeps its files from being deleted.
 *
 * @throws S3Error `NoSuchBucket`, `NoSuchKey`, `PreconditionFailed`, `InvalidArgument`
 */
export function openCopySource(call: S3Call): CopySource {
  const { bucket, key } = parseCopySource(call.headers.get("x-amz-copy-source") ?? "");
  call.store.buckets.require(bucket);
  const object = call.store.objects.find(bucket, key);
  if (object === null) throw noSuchKey(key);
  const verdict = checkReadConditions(call.headers, object, "x-amz-copy-source-");
  if (verdict === "not-modified") throw preconditionFailed("x-amz-copy-source-If-None-Match");
  return { object, release: call.store.blobs.hold(object.segments) };
}

/**
 * `[/]<bucket>/<key>`, percent-encoded; the SDK sends it as its caller wrote it, so it may also be
 * plain.
 */
function parseCopySource(text: string): { readonly bucket: string; readonly key: string } {
  const [path = "", query] = text.split("?versionId=");
  if (query !== undefined && query !== "null") throw notImplemented("versions of objects");
  const decoded = decode(path.replace(/^\//, ""));
  const at = decoded.indexOf("/");
  if (at < 1 || at === decoded.length - 1)
    throw invalidArgument("Copy Source must mention the source bucket and key: /bucket/key");
  return { bucket: decoded.slice(0, at), key: decoded.slice(at + 1) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
