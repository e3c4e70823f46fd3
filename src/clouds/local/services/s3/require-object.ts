import type { StoredObject } from "./object-table.ts";
import type { S3Call } from "./s3-call.ts";
import { noSuchKey, notImplemented } from "./s3-error.ts";

/** The object a call is about. @throws S3Error `NoSuchBucket`, `NoSuchKey` */
export function requireObject(call: S3Call): StoredObject {
  refuseVersion(call.query.get("versionId") ?? null);
  call.store.buckets.require(call.bucket);
  const object = call.store.objects.find(call.bucket, call.key);
  if (object === null) throw noSuchKey(call.key);
  return object;
}

/** Without versioning every object has the one version `null`. @throws S3Error `NotImplemented` */
export function refuseVersion(versionId: string | null): void {
  if (versionId !== null && versionId !== "null") throw notImplemented("versions of objects");
}
