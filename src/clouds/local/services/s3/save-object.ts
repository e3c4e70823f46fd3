import type { Segment } from "./blob-store.ts";
import type { StoredObject } from "./object-table.ts";
import type { S3Store } from "./s3-store.ts";

export interface SaveOptions {
  /** Throws to refuse, given what stands under the key at the moment of the commit. */
  readonly check: (current: StoredObject | null) => void;
  /** Does what else belongs to the same commit; returns files that nothing names any more. */
  readonly along?: () => readonly Segment[];
}

/**
 * Puts an object whose files are durable in its place: all of it or nothing. When it resolves, the
 * object is durable and what it replaced is gone; when it rejects, the caller still owns the
 * object's files.
 *
 * @throws S3Error `NoSuchBucket` and what `check` throws
 */
export async function saveObject(
  store: S3Store,
  object: StoredObject,
  options: SaveOptions,
): Promise<void> {
  const garbage = await store.database.commit(() => {
    store.buckets.require(object.bucket);
    const current = store.objects.find(object.bucket, object.key);
    options.check(current);
    store.objects.save(object);
    return [...(current?.segments ?? []), ...(options.along?.() ?? [])];
  });
  await store.blobs.delete(garbage);
}
