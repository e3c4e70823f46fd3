import { createHash } from "node:crypto";
import type { CloudIdentity } from "../../model/snapshot.ts";

/** The local cloud is one account in one region, whatever the machine. */
export const LOCAL_IDENTITY: CloudIdentity = {
  cloud: "local",
  account: "000000000000",
  region: "us-east-1",
};

/** The resource types of the local cloud. */
export const LOCAL_TYPES = {
  function: "local:function",
  functionUrl: "local:function-url",
  api: "local:api",
  route: "local:route",
  bucket: "local:bucket",
  table: "local:table",
} as const;

export function functionArn(name: string): string {
  return `arn:aws:lambda:${LOCAL_IDENTITY.region}:${LOCAL_IDENTITY.account}:function:${name}`;
}

export function bucketArn(name: string): string {
  return `arn:aws:s3:::${name}`;
}

export function tableArn(name: string): string {
  return `arn:aws:dynamodb:${LOCAL_IDENTITY.region}:${LOCAL_IDENTITY.account}:table/${name}`;
}

/**
 * The ten characters that stand for an API in host names and events. A pure function of the
 * physical name, so that routes can be planned before the API exists.
 */
export function apiId(physicalName: string): string {
  return createHash("sha256").update(`api\0${physicalName}`).digest("hex").slice(0, 10);
}
