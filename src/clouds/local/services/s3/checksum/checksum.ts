import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { crc32c } from "./crc32c.ts";
import { Crc64Nvme } from "./crc64nvme.ts";

/**
 * The algorithms of S3's additional checksums; the header is `x-amz-checksum-` and the lower-case
 * name.
 */
export const CHECKSUM_ALGORITHMS = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/**
 * `COMPOSITE`: over the parts' checksums, written with `-<parts>`. `FULL_OBJECT`: over the bytes.
 */
export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

/** What an object or part carries. */
export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
  /** Base64, with `-<parts>` when composite. */
  readonly value: string;
}

export interface Checksum {
  update(chunk: Uint8Array): void;
  /** Once. */
  digest(): Buffer;
}

export function createChecksum(algorithm: ChecksumAlgorithm): Checksum {
  switch (algorithm) {
    case "CRC32":
      return new Crc((chunk, before) => crc32(chunk, before));
    case "CRC32C":
      return new Crc(crc32c);
    case "CRC64NVME":
      return new Crc64Nvme();
    case "SHA1":
      return createHash("sha1");
    case "SHA256":
      return createHash("sha256");
  }
}

export function parseChecksumAlgorithm(text: string): ChecksumAlgorithm | null {
  return CHECKSUM_ALGORITHMS.find((algorithm) => algorithm === text.toUpperCase()) ?? null;
}

/** For example `x-amz-checksum-crc32`. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** The name in S3's documents, for example `ChecksumCRC32`. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

class Crc implements Checksum {
  readonly #next: (chunk: Uint8Array, before: number) => number;
  #value = 0;

  constructor(next: (chunk: Uint8Array, before: number) => number) {
    this.#next = next;
  }

  update(chunk: Uint8Array): void {
    this.#value = this.#next(chunk, this.#value);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#value);
    return bytes;
  }
}
