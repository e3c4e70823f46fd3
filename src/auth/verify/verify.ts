import { InvalidToken, malformed, TokenExpired } from "../auth-error.ts";
import { isSigned } from "../keys/is-signed.ts";
import type { KeySet } from "../keys/key-set.ts";
import type { SeenToken } from "../keys/seen-tokens.ts";
import type { UsableKey } from "../keys/usable-key.ts";
import { type Claims, checkClaims } from "./claims.ts";
import { type CompactToken, splitToken } from "./compact-token.ts";
import type { Policy } from "./policy.ts";
import { parseStrictObject } from "./strict-json.ts";
import { readHeader, type TokenHeader } from "./token-header.ts";

/**
 * The claims of a token that a key of the set has signed and that is all the policy asks for. A token that was
 * accepted before is remembered with the key set, which spares the signature; claims are checked every time.
 *
 * @throws InvalidToken, JwksUnavailable, TokenExpired
 */
export async function verify(token: unknown, keySet: KeySet, policy: Policy): Promise<Claims> {
  if (typeof token !== "string") throw malformed("The token is not a string");
  if (token.length > policy.maxTokenBytes) throw malformed("The token is too long");
  const seen = keySet.seen(token);
  if (seen !== undefined) return verifySeen(token, seen, keySet, policy);
  const parts = splitToken(token);
  const header = readHeader(parts.header);
  checkHeader(header, policy);
  const payload = parseStrictObject(Buffer.from(parts.payload, "base64url"));
  const key = keySet.known(header.keyId) ?? (await keySet.find(header.keyId));
  checkSignature(parts, header, key);
  const claims = checkClaims(payload, policy);
  return keySet.remember(token, key, { header, claims }).claims;
}

function verifySeen(token: string, seen: SeenToken, keySet: KeySet, policy: Policy): Claims {
  checkHeader(seen.header, policy);
  try {
    return checkClaims(seen.claims, policy);
  } catch (error) {
    if (error instanceof TokenExpired) keySet.forget(token);
    throw error;
  }
}

function checkHeader(header: TokenHeader, policy: Policy): void {
  if (!policy.algorithms.includes(header.algorithm)) {
    throw new InvalidToken("HEADER_REFUSED", "The token's algorithm is not allowed");
  }
  if (!policy.types.includes(header.type)) {
    throw new InvalidToken("HEADER_REFUSED", "The token is of another type");
  }
}

function checkSignature(parts: CompactToken, header: TokenHeader, key: UsableKey): void {
  if (!key.algorithms.includes(header.algorithm)) {
    throw new InvalidToken("HEADER_REFUSED", "The key is not for the token's algorithm");
  }
  if (!isSigned(parts.signed, parts.signature, header.algorithm, key)) {
    throw new InvalidToken("SIGNATURE_INVALID", "The signature is not of the key");
  }
}
