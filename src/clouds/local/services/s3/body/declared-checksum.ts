import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checksumHeader,
  createChecksum,
} from "../checksum/checksum.ts";
import type { RequestHeaders } from "../request-headers.ts";
import { invalidRequest } from "../s3-error.ts";

/** The additional checksum that a client promises for its body. */
export interface DeclaredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly header: string;
  /** Base64; null when it follows as a trailer. */
  readonly value: string | null;
}

/**
 * @throws S3Error `InvalidRequest` for more than one, an impossible value, or an algorithm named
 * without a value
 */
export function readDeclaredChecksum(headers: RequestHeaders): DeclaredChecksum | null {
  const trailer = headers.get("x-amz-trailer")?.trim().toLowerCase() ?? null;
  const declared = CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
    const header = checksumHeader(algorithm);
    const value = headers.get(header);
    if (value === null && trailer !== header) return [];
    return [{ algorithm, header, value }];
  });
  const [first, second] = declared;
  if (second !== undefined)
    throw invalidRequest(
      "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.",
    );
  if (first === undefined) {
    if (headers.get("x-amz-sdk-checksum-algorithm") !== null)
      throw invalidRequest(
        "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.",
      );
    return null;
  }
  if (first.value !== null && !isPossible(first.algorithm, first.value))
    throw invalidRequest(`Value for ${first.header} header is invalid.`);
  return first;
}

function isPossible(algorithm: ChecksumAlgorithm, value: string): boolean {
  const bytes = Buffer.from(value, "base64");
  return (
    bytes.toString("base64") === value && bytes.length === createChecksum(algorithm).digest().length
  );
}
