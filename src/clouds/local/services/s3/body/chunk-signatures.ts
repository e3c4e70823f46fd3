import { createHash, type Hash } from "node:crypto";
import { equalHex, hmac, type VerifiedSignature } from "../../sigv4/verify-signature.ts";
import { S3Error } from "../s3-error.ts";

const EMPTY_SHA256 = createHash("sha256").digest("hex");

/**
 * The chain of signatures in a `STREAMING-AWS4-HMAC-SHA256-PAYLOAD` body: each covers the one
 * before it.
 */
export class ChunkSignatures {
  readonly #verified: VerifiedSignature;
  readonly #timestamp: string;
  #previous: string;
  #hash: Hash = createHash("sha256");

  /** @param seed the signature of the request's header */
  constructor(verified: VerifiedSignature, timestamp: string, seed: string) {
    this.#verified = verified;
    this.#timestamp = timestamp;
    this.#previous = seed;
  }

  update(piece: Buffer): void {
    this.#hash.update(piece);
  }

  /**
   * Checks the chunk whose bytes were given since the last check. @throws S3Error
   * `SignatureDoesNotMatch`
   */
  check(signature: string): void {
    const digest = this.#hash.digest("hex");
    this.#hash = createHash("sha256");
    this.#expect("AWS4-HMAC-SHA256-PAYLOAD", `${EMPTY_SHA256}\n${digest}`, signature);
  }

  /** @throws S3Error `SignatureDoesNotMatch` */
  checkTrailer(text: string, signature: string | undefined): void {
    const digest = createHash("sha256").update(text).digest("hex");
    this.#expect("AWS4-HMAC-SHA256-TRAILER", digest, signature ?? "");
  }

  #expect(algorithm: string, digests: string, signature: string): void {
    const lines = [algorithm, this.#timestamp, this.#verified.scope, this.#previous, digests];
    const expected = hmac(this.#verified.key, lines.join("\n")).toString("hex");
    if (!equalHex(expected, signature.toLowerCase()))
      throw new S3Error(
        403,
        "SignatureDoesNotMatch",
        "The signature of a chunk of the body does not match its bytes.",
      );
    this.#previous = expected;
  }
}
