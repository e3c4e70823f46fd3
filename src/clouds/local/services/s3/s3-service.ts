import type { Service } from "../service.ts";
import { S3Instance } from "./s3-instance.ts";
import { S3Store } from "./s3-store.ts";

/** S3: buckets with their objects. docs/reference/local-s3.md lists what it can and cannot do. */
export const s3Service: Service = {
  name: "s3",
  types: ["local:bucket"],
  async open(options) {
    return new S3Instance(await S3Store.open(options.folder), options);
  },
};
