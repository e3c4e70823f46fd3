import { checkWriteConditions } from "../conditions.ts";
import { refuseVersion } from "../require-object.ts";
import { emptyReply, type S3Operation } from "../s3-call.ts";

export const deleteObject: S3Operation = async ({ store, bucket, key, headers, query }) => {
  refuseVersion(query.get("versionId") ?? null);
  const garbage = await store.database.commit(() => {
    store.buckets.require(bucket);
    const current = store.objects.find(bucket, key);
    checkWriteConditions(headers, key, current);
    store.objects.delete(bucket, key);
    return current?.segments ?? [];
  });
  await store.blobs.delete(garbage);
  return emptyReply(204);
};
