import { emptyReply, type S3Operation } from "../s3-call.ts";

export const headBucket: S3Operation = async ({ store, bucket, region }) => {
  store.buckets.require(bucket);
  return emptyReply(200, { "x-amz-bucket-region": region });
};
