import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { physicalName } from "../../../engine/physical-name.ts";
import { urnOf } from "../../../model/urn.ts";
import { homeBucketName } from "../home/home-bucket.ts";
import { deployerPolicy, type PolicyDocument } from "./deployer-policy.ts";

const SCOPE = { app: "Notes", account: "123456789012", region: "eu-central-1" };

/** What IAM calls the services, by the names of the SDK's packages. */
const SERVICES: Readonly<Record<string, string>> = {
  apigatewayv2: "apigateway",
  "cloudwatch-logs": "logs",
  "cognito-identity-provider": "cognito-idp",
  dynamodb: "dynamodb",
  iam: "iam",
  lambda: "lambda",
  s3: "s3",
  ssm: "ssm",
};

/** Calls that need a permission of another name ("Actions, resources, and condition keys for Amazon S3"). */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "s3:DeleteObjects": "s3:DeleteObject",
  "s3:HeadBucket": "s3:ListBucket",
  "s3:ListBuckets": "s3:ListAllMyBuckets",
  "s3:ListObjectsV2": "s3:ListBucket",
  "s3:PutBucketLifecycleConfiguration": "s3:PutLifecycleConfiguration",
  "s3:PutPublicAccessBlock": "s3:PutBucketPublicAccessBlock",
};

/** Every call that the AWS cloud makes, as an action; found in the sources. */
function actionsUsed(): readonly string[] {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  const actions = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || /\.test\.ts$/.test(file)) continue;
    const text = readFileSync(join(folder, file), "utf8");
    const services = new Set(
      [...text.matchAll(/@aws-sdk\/client-([a-z0-9-]+)"/g)].map(([, s]) => s),
    );
    for (const [, command = ""] of text.matchAll(/new (?:\w+\.)?([A-Z]\w+)Command\(/g)) {
      if (services.size !== 1) throw new Error(`${file} calls several services`);
      const service = SERVICES[[...services][0] ?? ""];
      // Anybody may ask who they are.
      if (service === undefined && command === "GetCallerIdentity") continue;
      actions.add(`${service}:${command}`);
    }
  }
  return [...actions];
}

function allows(policy: PolicyDocument, action: string): boolean {
  return policy.Statement.some(({ Action }) =>
    Action.some((allowed) => matches(allowed, OTHER_NAMES[action] ?? action)),
  );
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`).test(text);
}

describe("the policy of who deploys", () => {
  const policy = deployerPolicy(SCOPE);
  const resources = policy.Statement.flatMap(({ Resource }) => Resource);

  it("allows every call that the sources make", () => {
    const used = actionsUsed();
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((action) => !allows(policy, action))).toEqual([]);
  });

  it.each(["iam:CreateUser", "iam:AttachRolePolicy", "s3:GetObject", "kms:Decrypt"])(
    "does not allow %s of just anything",
    (action) => {
      const wide = policy.Statement.filter(({ Resource }) => Resource.includes("*"));
      expect(allows({ ...policy, Statement: wide }, action)).toBe(false);
    },
  );

  it("covers the names of resources, also those that had to be shortened", () => {
    for (const stage of ["dev", "x".repeat(63)]) {
      const naming = { maxLength: 64, lowerCase: false };
      const urn = urnOf("aws:role", "Api");
      const name = physicalName({ app: "Notes", stage, urn, name: "Api", generation: 1, naming });
      const arns = [
        `arn:aws:iam::123456789012:role/${name}`,
        `arn:aws:lambda:eu-central-1:123456789012:function:${name}`,
        `arn:aws:s3:::${name.toLowerCase()}`,
      ];
      for (const arn of arns) expect(resources.some((each) => matches(each, arn))).toBe(true);
    }
  });

  it("covers the home of the account, and with no account named that of any", () => {
    const home = `arn:aws:s3:::${homeBucketName({ id: SCOPE.account, region: SCOPE.region })}/home/x`;
    const anyAccount = { ...SCOPE, account: null };
    for (const scope of [SCOPE, anyAccount, { ...anyAccount, region: null }]) {
      const state = deployerPolicy(scope).Statement.find(({ Sid }) => Sid === "State");
      expect(state?.Resource.some((each) => matches(each, home))).toBe(true);
    }
  });

  it("fits into a managed policy, which has at most 6,144 characters", () => {
    const text = JSON.stringify(deployerPolicy({ ...SCOPE, app: "a".repeat(40) }));
    expect(text.length).toBeLessThan(6_144);
  });
});
