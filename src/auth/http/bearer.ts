import { InvalidToken, Unauthorized } from "../auth-error.ts";
import { headerValues, type RequestEvent } from "./request-event.ts";

/** More than gateways let through (API Gateway: 10,240 bytes for all headers). */
const CREDENTIAL_CHARS_MAX = 16_384;

/** RFC 6750, section 2.1, behind the scheme and exactly one space. */
const TOKEN = /^[\w.~+/-]+=*$/;

/**
 * The bearer token of a request. The scheme may be in any case, as RFC 9110, section 11.1 has it.
 *
 * @throws Unauthorized when there is none
 * @throws InvalidToken CREDENTIAL_INVALID when there are two, or what follows `Bearer ` is no token
 * @example
 * import { auth, bearer } from "scrim/auth";
 *
 * const users = new Map([["opaque-token", { id: "u1", email: "ada@example.com" }]]);
 *
 * export const handler = auth.authorizer((event) => {
 *   const user = users.get(bearer(event));
 *   return user ? { user } : { statusCode: 401, body: "Unauthorized" };
 * });
 */
export function bearer(event: RequestEvent | null | undefined): string {
  const values = headerValues(event, "authorization");
  if (values.length > 1) throw invalid("The request has more than one Authorization header");
  const value = values[0] ?? "";
  if (value.length > CREDENTIAL_CHARS_MAX) throw invalid("The Authorization header is too long");
  if (!/^bearer(\s|$)/i.test(value)) throw new Unauthorized();
  const token = value.slice("Bearer ".length);
  if (token.trim() === "") throw new Unauthorized();
  if (value.charAt("Bearer".length) !== " " || !TOKEN.test(token)) {
    throw invalid("The Authorization header has something else than one token");
  }
  return token;
}

function invalid(message: string): InvalidToken {
  return new InvalidToken("CREDENTIAL_INVALID", message);
}
