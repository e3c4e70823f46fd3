import type { BucketLocationConstraint, S3Client } from "@aws-sdk/client-s3";
import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { corsIn } from "../cors-inputs.ts";
import { hasName, unless } from "../has-name.ts";
import { booleanIn } from "../input-parsers.ts";
import { type Tags, tagList, tagsFor, tagsIn } from "../ownership.ts";
import { bucketArn } from "../place.ts";
import { PLACE_LENGTH, placedName } from "../placed-name.ts";
import { deleteSomeObjects } from "./empty-bucket.ts";

const ABSENT: readonly string[] = ["NoSuchBucket", "NotFound"];
/** For buckets with many millions of objects: a thousand take about a second. */
const EMPTYING_MS = 24 * 3_600_000;
/** The region whose buckets are made without naming it. */
const FIRST_REGION = "us-east-1";

interface BucketThing {
  /**
   * False for one that was made a moment ago: not every S3 takes tags with the creation. A bucket without tags is taken
   * for ours while nothing is in it, since its name is made of app, stage, account and region.
   */
  readonly isTagged: boolean;
}

/** `aws:bucket`: inputs cors, versioning; outputs name, arn. Private, and deleted with all its objects. */
export function bucketHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-s3");
  const outputsFor = (name: string) => ({ name, arn: bucketArn(clients, name) });
  const foundOf = (name: string, tags: Tags | null, isTagged: boolean): Found<BucketThing> => ({
    ...{ id: name, tags, pending: null, thing: { isTagged } },
    outputs: outputsFor(name),
  });
  const at = (Bucket: string) => ({ Bucket, ExpectedBucketOwner: clients.account });
  const find = async (
    { physicalName, signal }: HandlerContext,
    id: string | null,
  ): Promise<Found<BucketThing> | null> => {
    const { GetBucketTaggingCommand } = await sdk();
    const name = id ?? placedName(physicalName, clients);
    try {
      const answer = await (await clients.s3()).send(new GetBucketTaggingCommand(at(name)), {
        abortSignal: signal,
      });
      return foundOf(name, tagsIn(answer.TagSet), true);
    } catch (error) {
      if (hasName(error, ...ABSENT)) return null;
      if (!hasName(error, "NoSuchTagSet")) throw error;
      const isEmpty = await hasNothing(await clients.s3(), at(name), signal);
      return foundOf(name, isEmpty ? null : {}, false);
    }
  };
  return awsResource<BucketThing>({
    type: AWS_TYPES.bucket,
    recovery: "unique-name",
    data: true,
    // docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
    naming: { maxLength: 63 - PLACE_LENGTH, lowerCase: true },
    consistencyWindowMs: 5_000,
    replaces: () => [],
    predict: (physicalName) => outputsFor(placedName(physicalName, clients)),
    find,
    make: async (context) => {
      // Where a bucket of ours may be made twice (us-east-1), the second call is no error and changes the first's.
      if ((await find(context, null)) !== null) return null;
      const name = placedName(context.physicalName, clients);
      const isMade = await createBucket(await clients.s3(), name, clients.region, context);
      return isMade ? foundOf(name, tagsFor(context.tags), false) : null;
    },
    converge: async (context, { id, thing }, inputs, changed) => {
      const { PutBucketTaggingCommand, PutPublicAccessBlockCommand } = await sdk();
      const s3 = await clients.s3();
      if (!thing.isTagged) {
        const request = { ...at(id), Tagging: { TagSet: tagList(context.tags) } };
        await s3.send(new PutBucketTaggingCommand(request), { abortSignal: context.signal });
        changed();
      }
      await s3.send(
        new PutPublicAccessBlockCommand({
          ...at(id),
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
        }),
        { abortSignal: context.signal },
      );
      changed();
      await putVersioning(s3, at(id), inputs, context.signal);
      await putCors(s3, at(id), inputs, context.signal);
      return null;
    },
    erase: async ({ signal }, { id }, changed) => {
      const { DeleteBucketCommand } = await sdk();
      const s3 = await clients.s3();
      const contents = { s3, bucket: id, owner: clients.account, signal };
      const deleted = await unless(deleteSomeObjects(contents), ...ABSENT);
      if (deleted === null) return null;
      changed();
      if (deleted > 0) {
        return { reason: "its objects are being deleted", afterMs: 0, lastsMs: EMPTYING_MS };
      }
      try {
        await s3.send(new DeleteBucketCommand(at(id)), { abortSignal: signal });
      } catch (error) {
        if (hasName(error, ...ABSENT)) return null;
        if (!hasName(error, "BucketNotEmpty")) throw error;
        return { reason: "something still writes to it", afterMs: 500, lastsMs: 5 * 60_000 };
      }
      return null;
    },
  });
}

interface Target {
  readonly Bucket: string;
  readonly ExpectedBucketOwner: string;
}

/** Whether there is no object in it, and never was one whose versions are kept. */
async function hasNothing(
  s3: S3Client,
  target: Target,
  abortSignal: AbortSignal,
): Promise<boolean> {
  const { ListObjectVersionsCommand } = await import("@aws-sdk/client-s3");
  const request = new ListObjectVersionsCommand({ ...target, MaxKeys: 1 });
  const { Versions = [], DeleteMarkers = [] } = await s3.send(request, { abortSignal });
  return Versions.length + DeleteMarkers.length === 0;
}

/** Whether it was made now; false when the name is taken. */
async function createBucket(
  s3: S3Client,
  name: string,
  region: string,
  { tags, signal }: HandlerContext,
): Promise<boolean> {
  const { CreateBucketCommand } = await import("@aws-sdk/client-s3");
  const location =
    region === FIRST_REGION ? {} : { LocationConstraint: region as BucketLocationConstraint };
  const request = {
    Bucket: name,
    CreateBucketConfiguration: { ...location, Tags: tagList(tags) },
  };
  const made = await unless(
    s3.send(new CreateBucketCommand(request), { abortSignal: signal }),
    "BucketAlreadyOwnedByYou",
    "BucketAlreadyExists",
  );
  return made !== null;
}

async function putVersioning(
  s3: S3Client,
  target: Target,
  inputs: Inputs,
  abortSignal: AbortSignal,
): Promise<void> {
  const { GetBucketVersioningCommand, PutBucketVersioningCommand } = await import(
    "@aws-sdk/client-s3"
  );
  const { Status: status } = await s3.send(new GetBucketVersioningCommand(target), { abortSignal });
  const isWanted = booleanIn(inputs, "versioning");
  if (isWanted === (status === "Enabled")) return;
  const VersioningConfiguration = { Status: isWanted ? "Enabled" : "Suspended" } as const;
  await s3.send(new PutBucketVersioningCommand({ ...target, VersioningConfiguration }), {
    abortSignal,
  });
}

async function putCors(
  s3: S3Client,
  target: Target,
  inputs: Inputs,
  abortSignal: AbortSignal,
): Promise<void> {
  const { DeleteBucketCorsCommand, PutBucketCorsCommand } = await import("@aws-sdk/client-s3");
  const cors = corsIn(inputs);
  if (cors === null) {
    await s3.send(new DeleteBucketCorsCommand(target), { abortSignal });
    return;
  }
  const rule = {
    AllowedOrigins: cors.allowOrigins,
    AllowedMethods: cors.allowMethods,
    AllowedHeaders: cors.allowHeaders,
    ExposeHeaders: cors.exposeHeaders,
    ...(cors.maxAge === null ? {} : { MaxAgeSeconds: cors.maxAge }),
  };
  await s3.send(new PutBucketCorsCommand({ ...target, CORSConfiguration: { CORSRules: [rule] } }), {
    abortSignal,
  });
}
