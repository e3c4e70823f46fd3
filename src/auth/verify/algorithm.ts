/** The signature algorithms that can be used (RFC 7518, section 3.1 and RFC 8037, section 3.1; EdDSA is Ed25519). */
export const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"] as const;

/** A signature algorithm: never a symmetric one, and never none. */
export type Algorithm = (typeof ALGORITHMS)[number];

/** Whether a value names one of {@link ALGORITHMS}, letter for letter. */
export function isAlgorithm(value: unknown): value is Algorithm {
  return ALGORITHMS.some((algorithm) => algorithm === value);
}
