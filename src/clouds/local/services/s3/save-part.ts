import type { S3Store } from "./s3-store.ts";
import type { Part, Upload } from "./upload-table.ts";

/**
 * Puts a part whose files are durable in its place. When it rejects, the part's files are deleted.
 *
 * @throws S3Error `NoSuchUpload` when the upload was completed or aborted meanwhile
 */
export async function savePart(store: S3Store, upload: Upload, part: Part): Promise<void> {
  try {
    const garbage = await store.database.commit(() => {
      store.uploads.require(upload.id, upload.bucket, upload.key);
      const replaced = store.uploads.part(upload.id, part.number);
      store.uploads.savePart(upload.id, part);
      return replaced?.segments ?? [];
    });
    await store.blobs.delete(garbage);
  } catch (error) {
    await store.blobs.delete(part.segments);
    throw error;
  }
}
