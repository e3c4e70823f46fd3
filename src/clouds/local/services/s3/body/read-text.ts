import { S3Error } from "../s3-error.ts";

/** All of a body as text. @throws S3Error `MalformedXML` when it has more than `bytesMax` bytes */
export async function readText(chunks: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax)
      throw new S3Error(400, "MalformedXML", "The document in the body is too long");
    kept.push(chunk);
  }
  return Buffer.concat(kept).toString("utf8");
}
