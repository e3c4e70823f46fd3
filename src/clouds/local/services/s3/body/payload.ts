import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { SignedRequest } from "../../sigv4/signed-request.ts";
import type { VerifiedSignature } from "../../sigv4/verify-signature.ts";
import { invalidRequest, notImplemented, S3Error } from "../s3-error.ts";
import { decodeAwsChunked } from "./aws-chunked.ts";
import { ChunkSignatures } from "./chunk-signatures.ts";

const UNSIGNED = "UNSIGNED-PAYLOAD";
const UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
const SIGNED_STREAM = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";

/**
 * The word or hash that the signature covers in place of the body.
 *
 * @throws S3Error when it is missing, unknown or of a kind that is not supported
 */
export function payloadHashOf(request: IncomingMessage, presigned: boolean): string {
  const sent = request.headers["x-amz-content-sha256"];
  if (sent === undefined && presigned) return UNSIGNED;
  if (typeof sent !== "string")
    throw invalidRequest("Missing required header for this request: x-amz-content-sha256");
  const known = [UNSIGNED, UNSIGNED_TRAILER, SIGNED_STREAM, `${SIGNED_STREAM}-TRAILER`];
  if (known.includes(sent) || /^[0-9a-f]{64}$/.test(sent)) return sent;
  if (sent.startsWith("STREAMING-")) throw notImplemented(`x-amz-content-sha256: ${sent}`);
  throw invalidRequest("x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a SHA-256 in hex");
}

/**
 * The body of an authenticated request, its framing taken off and checked against the signature.
 */
export class Payload {
  /** Of the body without framing; null when the client did not say. */
  readonly size: number | null;
  /** By lower-case name; complete when {@link Payload.chunks} has ended. */
  readonly trailers = new Map<string, string>();
  readonly #request: IncomingMessage;
  readonly #hash: string;
  readonly #signatures: ChunkSignatures | null;

  constructor(
    request: IncomingMessage,
    hash: string,
    signed: SignedRequest,
    verified: VerifiedSignature,
  ) {
    this.#request = request;
    this.#hash = hash;
    this.#signatures = hash.startsWith(SIGNED_STREAM)
      ? new ChunkSignatures(verified, signed.timestamp, signed.signature)
      : null;
    const sizeHeader = hash.startsWith("STREAMING-")
      ? request.headers["x-amz-decoded-content-length"]
      : request.headers["content-length"];
    this.size = parseSize(sizeHeader);
  }

  /**
   * The body's bytes, once.
   *
   * @throws S3Error `IncompleteBody`, `SignatureDoesNotMatch`, `XAmzContentSHA256Mismatch`
   */
  async *chunks(): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    const checked = /^[0-9a-f]{64}$/.test(this.#hash);
    let size = 0;
    for await (const chunk of this.#decoded()) {
      if (checked) hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    if (this.size !== null && size !== this.size) throw wrongSize(this.size, size);
    if (checked && hash.digest("hex") !== this.#hash)
      throw new S3Error(
        400,
        "XAmzContentSHA256Mismatch",
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
      );
  }

  #decoded(): AsyncIterable<Buffer> {
    // A refusal in the middle of a body must still reach the client, so the socket stays open.
    const source = this.#request.iterator({ destroyOnReturn: false });
    if (!this.#hash.startsWith("STREAMING-")) return source;
    return decodeAwsChunked(source, this.#signatures, this.trailers);
  }
}

function parseSize(header: string | string[] | undefined): number | null {
  if (typeof header !== "string") return null;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalidRequest("The length of the body is not a number");
}

function wrongSize(declared: number, received: number): S3Error {
  return new S3Error(
    400,
    "IncompleteBody",
    `You did not provide the number of bytes specified by the length header: ${declared} declared, ${received} received`,
  );
}
