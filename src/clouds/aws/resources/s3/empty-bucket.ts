import type { S3Client } from "@aws-sdk/client-s3";

/** As many as one call may delete. */
const BATCH = 1_000;

/** What is deleted, and how. */
interface BucketContents {
  readonly s3: S3Client;
  readonly bucket: string;
  /** The account that must own it. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/**
 * Deletes up to a thousand objects, each version and delete marker counted, or else the uploads that were never
 * finished.
 *
 * @returns how many were deleted; 0 when nothing is left
 * @throws Error when some could not be deleted, with the reason of the first
 */
export async function deleteSomeObjects(contents: BucketContents): Promise<number> {
  const { s3, bucket, owner, signal } = contents;
  const { DeleteObjectsCommand, ListObjectVersionsCommand } = await import("@aws-sdk/client-s3");
  const at = { Bucket: bucket, ExpectedBucketOwner: owner };
  const page = await s3.send(new ListObjectVersionsCommand({ ...at, MaxKeys: BATCH }), {
    abortSignal: signal,
  });
  const objects = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(
    ({ Key, VersionId }) => ({ Key: Key ?? "", ...(VersionId ? { VersionId } : {}) }),
  );
  if (objects.length === 0) return abortUploads(contents);
  const answer = await s3.send(
    new DeleteObjectsCommand({ ...at, Delete: { Objects: objects, Quiet: true } }),
    { abortSignal: signal },
  );
  const [refused] = answer.Errors ?? [];
  if (refused !== undefined) {
    const name = JSON.stringify(refused.Key ?? "");
    throw new Error(`Object ${name} cannot be deleted: ${refused.Code}: ${refused.Message}`);
  }
  return objects.length;
}

/** Parts of unfinished uploads keep a bucket from being deleted only in name: they cost money all the same. */
async function abortUploads({ s3, bucket, owner, signal }: BucketContents): Promise<number> {
  const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import(
    "@aws-sdk/client-s3"
  );
  const at = { Bucket: bucket, ExpectedBucketOwner: owner };
  const page = await s3.send(new ListMultipartUploadsCommand(at), { abortSignal: signal });
  const uploads = page.Uploads ?? [];
  for (const { Key, UploadId } of uploads) {
    const upload = { ...at, Key: Key ?? "", UploadId: UploadId ?? "" };
    await s3.send(new AbortMultipartUploadCommand(upload), { abortSignal: signal });
  }
  return uploads.length;
}
