import type { BlobStore, Segment } from "./blob-store.ts";
import { S3Error } from "./s3-error.ts";

/**
 * The largest object of a single put, and the largest part: 5 GiB (S3 user guide, "Multipart upload
 * limits").
 */
const BODY_BYTES_MAX = 5 * 1024 ** 3;

/** @throws S3Error `EntityTooLarge` */
export function checkBodySize(size: number): void {
  if (size > BODY_BYTES_MAX)
    throw new S3Error(
      400,
      "EntityTooLarge",
      "Your proposed upload exceeds the maximum allowed object size.",
    );
}

/**
 * Writes a body to a file and resolves when it is durable. On any failure nothing remains. An empty
 * body has no file.
 *
 * @throws S3Error what `chunks` throws, and `EntityTooLarge`
 */
export async function storeBody(
  blobs: BlobStore,
  chunks: AsyncIterable<Uint8Array>,
): Promise<readonly Segment[]> {
  const writer = await blobs.create();
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      checkBodySize(size);
      await writer.write(chunk);
    }
    if (size > 0) return [await writer.finish()];
  } catch (error) {
    await writer.discard();
    throw error;
  }
  await writer.discard();
  return [];
}
