import { type S3Operation, xmlReply } from "../s3-call.ts";
import { S3Error } from "../s3-error.ts";
import { writeXml, type XmlElement } from "../xml.ts";

export const getBucketCors: S3Operation = async ({ store, bucket }) => {
  const { cors } = store.buckets.require(bucket);
  if (cors === null)
    throw new S3Error(404, "NoSuchCORSConfiguration", "The CORS configuration does not exist", {
      BucketName: bucket,
    });
  const repeat = (name: string, values: readonly string[]) =>
    values.map((value): XmlElement => [name, value]);
  return xmlReply(
    writeXml("CORSConfiguration", [
      [
        "CORSRule",
        [
          ...repeat("AllowedOrigin", cors.allowOrigins),
          ...repeat("AllowedMethod", cors.allowMethods),
          ...repeat("AllowedHeader", cors.allowHeaders),
          ...repeat("ExposeHeader", cors.exposeHeaders),
          cors.maxAge === null ? null : ["MaxAgeSeconds", cors.maxAge],
        ],
      ],
    ]),
  );
};
