import { createHash } from "node:crypto";
import {
  type Checksum,
  type ChecksumAlgorithm,
  createChecksum,
  type StoredChecksum,
} from "../checksum/checksum.ts";

/** Computes MD5 and at most one additional checksum of bytes that pass through. */
export class BodyDigest {
  readonly #md5 = createHash("md5");
  readonly #algorithm: ChecksumAlgorithm | null;
  readonly #checksum: Checksum | null;

  constructor(algorithm: ChecksumAlgorithm | null) {
    this.#algorithm = algorithm;
    this.#checksum = algorithm === null ? null : createChecksum(algorithm);
  }

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#md5.update(chunk);
      this.#checksum?.update(chunk);
      yield chunk;
    }
  }

  /** Once, after the last byte. */
  finish(): { readonly md5: Buffer; readonly checksum: StoredChecksum | null } {
    const md5 = this.#md5.digest();
    if (this.#checksum === null || this.#algorithm === null) return { md5, checksum: null };
    const value = this.#checksum.digest().toString("base64");
    return { md5, checksum: { algorithm: this.#algorithm, type: "FULL_OBJECT", value } };
  }
}
