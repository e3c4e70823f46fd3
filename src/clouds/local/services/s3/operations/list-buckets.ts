import { type S3Operation, xmlReply } from "../s3-call.ts";
import { writeXml, type XmlElement } from "../xml.ts";

/** The buckets of the stage whose access key signed the request, and no others. */
export const listBuckets: S3Operation = async ({ store, query }) => {
  const prefix = query.get("prefix") ?? "";
  const names = store.buckets.names().filter((name) => name.startsWith(prefix));
  const buckets = names.map((name): XmlElement => {
    const { createdMs } = store.buckets.require(name);
    return [
      "Bucket",
      [
        ["Name", name],
        ["CreationDate", new Date(createdMs).toISOString()],
      ],
    ];
  });
  return xmlReply(
    writeXml("ListAllMyBucketsResult", [
      ["Owner", [["ID", "local"]]],
      ["Buckets", buckets],
      prefix === "" ? null : ["Prefix", prefix],
    ]),
  );
};
