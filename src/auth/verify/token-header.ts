import { InvalidToken } from "../auth-error.ts";
import { type Algorithm, isAlgorithm } from "./algorithm.ts";
import { parseStrictObject } from "./strict-json.ts";

/** What is used of a token's header. */
export interface TokenHeader {
  readonly algorithm: Algorithm;
  readonly keyId: string | undefined;
  /** In lower case and without `application/`, as RFC 7515, section 4.1.9 compares it. */
  readonly type: string | undefined;
}

/**
 * Parameters that carry or name a key (it would be the sender's), change what is signed, or announce another token
 * inside. No issuer needs them, so a token that has one is refused, and no address in it is ever asked.
 */
const REFUSED = ["jwk", "jku", "x5u", "x5c", "crit", "b64", "zip", "enc", "cty"] as const;

/** Headers of an issuer differ only with its keys, so few are enough. */
const KNOWN_MAX = 64;
const known = new Map<string, TokenHeader>();

/**
 * Reads the first part of a token.
 *
 * @throws InvalidToken TOKEN_MALFORMED, HEADER_REFUSED
 */
export function readHeader(part: string): TokenHeader {
  const cached = known.get(part);
  if (cached !== undefined) return cached;
  const header = parseHeader(part);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(part, header);
  return header;
}

function parseHeader(part: string): TokenHeader {
  const header = parseStrictObject(Buffer.from(part, "base64url"));
  for (const name of REFUSED) {
    if (Object.hasOwn(header, name)) throw refused(`The token's header has ${name}`);
  }
  const { alg, kid } = header;
  if (!isAlgorithm(alg)) throw refused("The token's algorithm is not allowed");
  if (kid !== undefined && typeof kid !== "string") throw refused("The key id is not a string");
  return { algorithm: alg, keyId: kid, type: mediaType(header["typ"]) };
}

function mediaType(typ: unknown): string | undefined {
  if (typ === undefined) return undefined;
  if (typeof typ !== "string") throw refused("The token's type is not a string");
  return typ.toLowerCase().replace(/^application\//, "");
}

function refused(message: string): InvalidToken {
  return new InvalidToken("HEADER_REFUSED", message);
}
