import type { S3Operation } from "../s3-call.ts";
import { S3Error } from "../s3-error.ts";

/**
 * Buckets come and go with the config; code that makes sure of its bucket gets the answer it knows
 * to ignore.
 */
export const createBucket: S3Operation = async ({ store, bucket }) => {
  if (store.buckets.find(bucket) !== null)
    throw new S3Error(
      409,
      "BucketAlreadyOwnedByYou",
      "Your previous request to create the named bucket succeeded and you already own it.",
      { BucketName: bucket },
    );
  throw refused("CreateBucket", bucket);
};

export const deleteBucket: S3Operation = async ({ store, bucket }) => {
  store.buckets.require(bucket);
  throw refused("DeleteBucket", bucket);
};

function refused(operation: string, bucket: string): S3Error {
  return new S3Error(
    403,
    "AccessDenied",
    `${operation} is refused on the local cloud: buckets are made and removed by deploying the config`,
    { BucketName: bucket },
  );
}
