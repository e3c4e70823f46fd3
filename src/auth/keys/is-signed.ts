import { verify } from "node:crypto";
import type { Algorithm } from "../verify/algorithm.ts";
import type { UsableKey } from "./usable-key.ts";

/** The hash of each algorithm (RFC 7518, sections 3.3 and 3.4); Ed25519 has its own inside. */
const HASHES: Readonly<Record<Algorithm, string | null>> = {
  RS256: "sha256",
  RS384: "sha384",
  RS512: "sha512",
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
  EdDSA: null,
};

/**
 * Whether a signature over `signed` (ASCII) is of this key. The algorithm must be one that the key is for, and the
 * signature as long as the key makes it.
 */
export function isSigned(
  signed: string,
  signature: string,
  algorithm: Algorithm,
  key: UsableKey,
): boolean {
  if (!key.algorithms.includes(algorithm) || signature.length !== key.signatureChars) return false;
  const bytes = Buffer.from(signature, "base64url");
  try {
    return verify(HASHES[algorithm], Buffer.from(signed, "latin1"), key.verifyKey, bytes);
  } catch {
    // OpenSSL throws for some numbers that no signature can have.
    return false;
  }
}
