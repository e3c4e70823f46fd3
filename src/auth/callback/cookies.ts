import { Unauthorized } from "../auth-error.ts";
import { cookieValue, isSecure, type RequestEvent } from "../http/request-event.ts";

/** What the two cookies of a sign-in are for. */
type Purpose = "sign-in" | "token";

/**
 * A browser takes `__Host-` only over https, from this very host and for all its paths (RFC 6265bis, section 4.1.3),
 * so that no other host of the domain can plant one.
 */
function nameOf(purpose: Purpose, secure: boolean): string {
  return `${secure ? "__Host-" : ""}scrim-${purpose}`;
}

/** A `Set-Cookie` value that scripts cannot read and that other sites' forms do not send. */
export function setCookie(
  event: unknown,
  purpose: Purpose,
  value: string,
  maxAgeSeconds: number | null,
): string {
  const secure = isSecure(event);
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax"];
  if (secure) attributes.push("Secure");
  if (maxAgeSeconds !== null) attributes.push(`Max-Age=${maxAgeSeconds}`);
  return [`${nameOf(purpose, secure)}=${value}`, ...attributes].join("; ");
}

/** The sealed sign-in that `auth.redirect` left in the browser. */
export function signInCookie(event: unknown): string | undefined {
  return cookieValue(event, nameOf("sign-in", isSecure(event)));
}

/**
 * The token that `auth.callback` with `mode: "cookie"` left in the browser. Browsers send cookies unasked, so routes
 * that change something must not trust this alone when they answer GET requests.
 *
 * @throws Unauthorized when there is none
 * @example
 * import { auth, cookieToken } from "scrim/auth";
 * import { AuthAdapter } from "scrim/auth/adapter";
 *
 * const adapter = AuthAdapter.oidc({ issuer: "https://issuer.example", audience: "notes" });
 *
 * export const handler = auth.authorizer(async (event) => {
 *   const headers = { authorization: `Bearer ${cookieToken(event)}` };
 *   return { user: await adapter.verify({ headers }) };
 * });
 */
export function cookieToken(event: RequestEvent | null | undefined): string {
  const value = cookieValue(event, nameOf("token", isSecure(event)));
  if (value === undefined || value === "")
    throw new Unauthorized("The request has no token cookie");
  return value;
}
