import type { BucketLocationConstraint, S3Client } from "@aws-sdk/client-s3";
import { EXIT, fail } from "../../../model/diagnostic.ts";
import type { Clock } from "../../../model/world.ts";
import type { AwsAccount } from "../account/account.ts";
import { errorName } from "../client/error-facts.ts";

/** Regions without bucket names that belong to an account ("General purpose bucket namespaces", S3 user guide). */
const GLOBAL_NAMES_ONLY: ReadonlySet<string> = new Set(["me-central-1", "me-south-1"]);
/** A bucket is known everywhere in its region within seconds, and its name is free again as soon after a deletion. */
const ATTEMPTS_MAX = 12;
const DELAY_MS = 2_500;
/** How long overwritten and deleted objects can be brought back. */
const OLD_VERSIONS_DAYS = 90;

/**
 * Name of the bucket that holds the home of an account and region. Its end puts it into the account's own namespace,
 * in which nobody else can make a bucket.
 */
export function homeBucketName({ id, region }: Pick<AwsAccount, "id" | "region">): string {
  return `scrim-home-${id}-${region}${GLOBAL_NAMES_ONLY.has(region) ? "" : "-an"}`;
}

/** The region whose home is in a bucket of that name; null for other buckets. */
export function regionOfHome(bucket: string, accountId: string): string | null {
  const start = `scrim-home-${accountId}-`;
  const region = bucket.startsWith(start) ? bucket.slice(start.length).replace(/-an$/, "") : "";
  return homeBucketName({ id: accountId, region }) === bucket ? region : null;
}

/**
 * Makes the bucket: versioned, private, reached over TLS only, tagged. Every step may be repeated, by several processes
 * at once, too.
 *
 * @throws DiagnosticError `HOME_BUCKET_TAKEN` (exit 6)
 */
export async function makeHomeBucket(
  client: S3Client,
  account: AwsAccount,
  clock: Clock,
): Promise<void> {
  const bucket = homeBucketName(account);
  await untilSettled(() => createBucket(client, bucket, account), clock);
  for (const set of await settingsOf(bucket, account)) {
    await untilSettled(() => set(client), clock);
  }
}

async function createBucket(
  client: S3Client,
  bucket: string,
  { region, endpoint, id }: AwsAccount,
): Promise<void> {
  const { CreateBucketCommand } = await import("@aws-sdk/client-s3");
  const isOwn = bucket.endsWith("-an");
  const command = new CreateBucketCommand({
    Bucket: bucket,
    ...(isOwn && { BucketNamespace: "account-regional" }),
    ...(region !== "us-east-1" && {
      CreateBucketConfiguration: { LocationConstraint: locationOf(region) },
    }),
  });
  try {
    await client.send(command);
  } catch (error) {
    if (errorName(error) === "BucketAlreadyOwnedByYou") return;
    if (errorName(error) !== "BucketAlreadyExists") throw error;
    throw fail("HOME_BUCKET_TAKEN", `The bucket ${bucket} belongs to another account`, {
      why: `The home of account ${id} in ${region} would be kept in it${endpoint === null ? "" : ` at ${endpoint}`}.`,
      hint: 'Keep the home in a bucket of your own: home: "s3://<bucket>" in app().',
      exit: EXIT.home,
    });
  }
}

type Step = (client: S3Client) => Promise<void>;

/** What is set on the bucket, each by one call that may be repeated. */
async function settingsOf(
  Bucket: string,
  { partition, id, endpoint }: AwsAccount,
): Promise<readonly Step[]> {
  const s3 = await import("@aws-sdk/client-s3");
  const owned = { Bucket, ExpectedBucketOwner: id };
  const access = new s3.PutPublicAccessBlockCommand({
    ...owned,
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  });
  const versioning = new s3.PutBucketVersioningCommand({
    ...owned,
    VersioningConfiguration: { Status: "Enabled" },
  });
  const policy = new s3.PutBucketPolicyCommand({
    ...owned,
    Policy: JSON.stringify(tlsOnly(`arn:${partition}:s3:::${Bucket}`)),
  });
  const lifecycle = new s3.PutBucketLifecycleConfigurationCommand({
    ...owned,
    LifecycleConfiguration: {
      Rules: [
        {
          ID: "old-versions",
          Status: "Enabled",
          Filter: { Prefix: "" },
          NoncurrentVersionExpiration: { NoncurrentDays: OLD_VERSIONS_DAYS },
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
        },
      ],
    },
  });
  const tagging = new s3.PutBucketTaggingCommand({
    ...owned,
    Tagging: { TagSet: [{ Key: "scrim:home", Value: "1" }] },
  });
  return [
    async (client) => void (await client.send(access)),
    async (client) => void (await client.send(versioning)),
    async (client) => {
      // An emulator that is reached without TLS would be closed to us, too.
      if (endpoint?.startsWith("http:") !== true) await client.send(policy);
    },
    async (client) => void (await client.send(lifecycle)),
    async (client) => void (await client.send(tagging)),
  ];
}

/** The service knows regions that this version of its client has no name for. */
function locationOf(region: string): BucketLocationConstraint {
  return region as BucketLocationConstraint;
}

function tlsOnly(arn: string) {
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "TlsOnly",
        Effect: "Deny",
        Principal: "*",
        Action: "s3:*",
        Resource: [arn, `${arn}/*`],
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      },
    ],
  };
}

/** Repeats a step while the bucket is being made by another process, or not known everywhere yet. */
async function untilSettled(step: () => Promise<void>, clock: Clock): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await step();
      return;
    } catch (error) {
      const passes = errorName(error) === "OperationAborted" || errorName(error) === "NoSuchBucket";
      if (!passes || attempt === ATTEMPTS_MAX) throw error;
      await clock.sleep(DELAY_MS);
    }
  }
}
