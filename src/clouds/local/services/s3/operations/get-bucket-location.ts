import { type S3Operation, xmlReply } from "../s3-call.ts";
import { writeXml } from "../xml.ts";

/** The oldest region's name is the empty text. */
export const getBucketLocation: S3Operation = async ({ store, bucket, region }) => {
  store.buckets.require(bucket);
  return xmlReply(writeXml("LocationConstraint", region === "us-east-1" ? "" : region));
};
