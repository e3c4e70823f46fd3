import { S3Error } from "../s3-error.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ChunkSignatures } from "./chunk-signatures.ts";

/** A chunk's head is a size of at most 16 hex digits and a signature of 64. */
const HEAD_BYTES_MAX = 512;
const TRAILER_BYTES_MAX = 8192;
const TRAILERS_MAX = 16;

/**
 * Takes the `aws-chunked` framing off a body: `<hex size>[;chunk-signature=<hex>]` CRLF, bytes,
 * CRLF, and so on until a chunk of size 0, then trailers, then an empty line.
 *
 * @param signatures checks each chunk; null for unsigned streams
 * @param trailers receives the trailers by lower-case name
 * @throws S3Error `IncompleteBody` for broken or truncated framing, `SignatureDoesNotMatch`
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  signatures: ChunkSignatures | null,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  for (;;) {
    const head = parseHead(await reader.line(HEAD_BYTES_MAX));
    for (let left = head.size; left > 0; ) {
      const piece = await reader.take(left);
      if (piece === null) throw incomplete();
      left -= piece.length;
      signatures?.update(piece);
      yield piece;
    }
    signatures?.check(head.signature);
    if (head.size === 0) break;
    if ((await reader.line(0)) !== "") throw incomplete();
  }
  await readTrailers(reader, signatures, trailers);
}

async function readTrailers(
  reader: ByteReader,
  signatures: ChunkSignatures | null,
  trailers: Map<string, string>,
): Promise<void> {
  let signed = "";
  for (let count = 0; count < TRAILERS_MAX; count += 1) {
    const line = await reader.line(TRAILER_BYTES_MAX);
    if (line === null) throw incomplete();
    if (line === "") {
      if (signed !== "") signatures?.checkTrailer(signed, trailers.get("x-amz-trailer-signature"));
      return;
    }
    const at = line.indexOf(":");
    if (at < 1) throw incomplete();
    const name = line.slice(0, at).trim().toLowerCase();
    const value = line.slice(at + 1).trim();
    trailers.set(name, value);
    if (name !== "x-amz-trailer-signature") signed += `${name}:${value}\n`;
  }
  throw incomplete();
}

function parseHead(line: string | null): { readonly size: number; readonly signature: string } {
  const match = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line ?? "");
  if (match === null) throw incomplete();
  return { size: Number.parseInt(match[1] ?? "", 16), signature: match[2] ?? "" };
}

function incomplete(): S3Error {
  return new S3Error(
    400,
    "IncompleteBody",
    "The request body terminated unexpectedly or its aws-chunked framing is broken",
  );
}
