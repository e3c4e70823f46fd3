import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Clock } from "../../../model/world.ts";
import {
  type FaultProxy,
  type ProxiedRequest,
  startFaultProxy,
} from "../../../testing/fault-proxy.ts";
import type { AwsAccount } from "../account/account.ts";
import { homeBucketName, makeHomeBucket, regionOfHome } from "./home-bucket.ts";

const ACCOUNT: AwsAccount = {
  id: "123456789012",
  partition: "aws-cn",
  region: "cn-north-1",
  profile: null,
  // As on AWS itself; the client below is sent elsewhere.
  endpoint: null,
  credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
};

const AT_ONCE: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };
const OK = { status: 200, body: "", served: false } as const;

let s3: FaultProxy;
let client: S3Client;
let requests: ProxiedRequest[];

beforeEach(async () => {
  s3 = await startFaultProxy("http://127.0.0.1:9");
  requests = [];
  client = new S3Client({
    endpoint: s3.endpoint,
    region: ACCOUNT.region,
    credentials: ACCOUNT.credentials,
    forcePathStyle: true,
    maxAttempts: 1,
  });
});
afterEach(async () => {
  client.destroy();
  await s3.close();
});

function refusal(status: number, code: string) {
  const body = `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return { status, body, served: false, headers: { "content-type": "application/xml" } };
}

it("is named so that nobody else can have it, where the region has such names", () => {
  expect(homeBucketName(ACCOUNT)).toBe("scrim-home-123456789012-cn-north-1-an");
  expect(homeBucketName({ id: "123456789012", region: "me-south-1" })).toBe(
    "scrim-home-123456789012-me-south-1",
  );
});

it.each(["eu-central-1", "me-south-1"])("tells by its name that it is of %s", (region) => {
  const name = homeBucketName({ id: "123456789012", region });
  expect(regionOfHome(name, "123456789012")).toBe(region);
  expect(regionOfHome(name, "999999999999")).toBeNull();
  expect(regionOfHome(`${name}-copy`, "123456789012")).toBeNull();
});

it("is made in its region and account, closed to others and to plain HTTP", async () => {
  s3.script((request) => {
    requests.push(request);
    return OK;
  });
  await makeHomeBucket(client, ACCOUNT, AT_ONCE);
  const [create, ...settings] = requests;
  expect(create?.headers["x-amz-bucket-namespace"]).toBe("account-regional");
  expect(create?.body.toString()).toContain("cn-north-1");
  const about = settings.map(({ path }) => new URL(path, s3.endpoint).search.replace(/=?$/, ""));
  expect(about).toEqual(["?publicAccessBlock", "?versioning", "?policy", "?lifecycle", "?tagging"]);
  for (const { headers } of settings)
    expect(headers["x-amz-expected-bucket-owner"]).toBe("123456789012");
  const policy = JSON.parse(settings[2]?.body.toString() ?? "{}");
  expect(policy.Statement).toMatchObject([
    {
      Effect: "Deny",
      Principal: "*",
      Action: "s3:*",
      Resource: [
        "arn:aws-cn:s3:::scrim-home-123456789012-cn-north-1-an",
        "arn:aws-cn:s3:::scrim-home-123456789012-cn-north-1-an/*",
      ],
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    },
  ]);
});

it("goes on while another process makes it, and where it is made already", async () => {
  s3.script((request) => {
    requests.push(request);
    if (requests.length === 1) return refusal(409, "OperationAborted");
    if (requests.length === 2) return refusal(409, "BucketAlreadyOwnedByYou");
    return requests.length === 3 ? refusal(404, "NoSuchBucket") : OK;
  });
  await makeHomeBucket(client, ACCOUNT, AT_ONCE);
  expect(requests).toHaveLength(8);
});

it("is not taken from another account", async () => {
  s3.script(() => refusal(409, "BucketAlreadyExists"));
  await expect(makeHomeBucket(client, ACCOUNT, AT_ONCE)).rejects.toMatchObject({
    exit: 6,
    diagnostics: [{ code: "HOME_BUCKET_TAKEN" }],
  });
});
