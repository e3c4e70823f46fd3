import { malformed } from "../auth-error.ts";

/** The three parts of a signed token, each canonical base64url without padding. */
export interface CompactToken {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  /** What the signature is over: header and payload as they were sent. */
  readonly signed: string;
}

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Last characters that leave no bit over, by length modulo 4 (RFC 4648, section 3.5). Other last characters would
 * be further spellings of the same bytes.
 */
const LAST_OF_TWO = "AQgw";
const LAST_OF_THREE = "AEIMQUYcgkosw048";

/**
 * Splits a token in JWS compact serialization (RFC 7515, section 7.1). Encrypted tokens (five parts) and JSON
 * serializations are refused, as are unsecured ones, whose signature is empty.
 *
 * @throws InvalidToken TOKEN_MALFORMED
 */
export function splitToken(token: string): CompactToken {
  if (!COMPACT.test(token)) throw malformed("The token is not three parts of base64url");
  const first = token.indexOf(".");
  const second = token.indexOf(".", first + 1);
  const header = token.slice(0, first);
  const payload = token.slice(first + 1, second);
  const signature = token.slice(second + 1);
  if (!isCanonical(header) || !isCanonical(payload) || !isCanonical(signature)) {
    throw malformed("A part of the token is not canonical base64url");
  }
  return { header, payload, signature, signed: token.slice(0, second) };
}

function isCanonical(part: string): boolean {
  const last = part.charAt(part.length - 1);
  switch (part.length % 4) {
    case 0:
      return true;
    case 2:
      return LAST_OF_TWO.includes(last);
    case 3:
      return LAST_OF_THREE.includes(last);
    default:
      return false;
  }
}
