import { emptyReply, type S3Operation } from "../s3-call.ts";

export const abortMultipartUpload: S3Operation = async ({ store, bucket, key, query }) => {
  const id = query.get("uploadId") ?? "";
  const garbage = await store.database.commit(() => {
    store.uploads.require(id, bucket, key);
    const segments = store.uploads.parts(id).flatMap((part) => part.segments);
    store.uploads.delete(id);
    return segments;
  });
  await store.blobs.delete(garbage);
  return emptyReply(204);
};
