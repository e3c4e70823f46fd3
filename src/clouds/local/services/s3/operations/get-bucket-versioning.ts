import { type S3Operation, xmlReply } from "../s3-call.ts";
import { writeXml } from "../xml.ts";

/** No status at all is how S3 says that a bucket never had versioning. */
export const getBucketVersioning: S3Operation = async ({ store, bucket }) => {
  store.buckets.require(bucket);
  return xmlReply(writeXml("VersioningConfiguration", []));
};
