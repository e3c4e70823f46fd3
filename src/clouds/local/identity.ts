import { createHash } from "node:crypto";
import type { JsonObject } from "../../model/json.ts";
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
  userPool: "local:user-pool",
  userPoolClient: "local:user-pool-client",
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

/** Id of a user pool as Cognito writes it, a pure function of its physical name. */
export function userPoolId(physicalName: string): string {
  return `${LOCAL_IDENTITY.region}_${shortHash(`user-pool\0${physicalName}`, BASE_62, 9)}`;
}

/** Id of a client of a user pool as Cognito writes it. */
export function userPoolClientId(physicalName: string): string {
  return shortHash(`user-pool-client\0${physicalName}`, BASE_36, 26);
}

/** The outputs of a user pool that its physical name alone tells. */
export function userPoolOutputs(physicalName: string): JsonObject {
  const { region, account } = LOCAL_IDENTITY;
  const id = userPoolId(physicalName);
  return {
    id,
    arn: `arn:aws:cognito-idp:${region}:${account}:userpool/${id}`,
    issuer: `https://cognito-idp.${region}.amazonaws.com/${id}`,
  };
}

const BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz";
const BASE_62 = `${BASE_36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

function shortHash(text: string, digits: string, length: number): string {
  const base = BigInt(digits.length);
  let rest = BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
  let hash = "";
  for (let index = 0; index < length; index += 1) {
    hash += digits.charAt(Number(rest % base));
    rest /= base;
  }
  return hash;
}
