// scrim/auth: what a handler needs to know who is asking. It ends up in users' bundles, so it imports nothing but
// Node.js.
import { authorizer } from "./authorizer.ts";
import { callback } from "./callback/callback.ts";
import { redirect } from "./callback/redirect.ts";
import { handler } from "./handler.ts";
import { securityHeaders } from "./security-headers.ts";

export {
  AuthError,
  type AuthErrorBody,
  type AuthErrorCode,
  InvalidToken,
  JwksUnavailable,
  TokenExpired,
  Unauthorized,
} from "./auth-error.ts";
export type { Access, Allowed, Denied, User } from "./authorize.ts";
export type { AuthorizerAnswer } from "./authorizer.ts";
export { cookieToken } from "./callback/cookies.ts";
export type { OAuthOptions } from "./callback/oauth-options.ts";
export { bearer } from "./http/bearer.ts";
export type { AuthorizedEvent, Named, RequestEvent } from "./http/request-event.ts";
export type { HttpResponse } from "./http/response.ts";
export type { Algorithm } from "./verify/algorithm.ts";
export type { Claims } from "./verify/claims.ts";
export type { TokenOptions } from "./verify/policy.ts";
export { type VerifyTokenOptions, verifyToken } from "./verify/verify-token.ts";

/** Makers of handlers, and headers for pages. */
export const auth = Object.freeze({ authorizer, handler, callback, redirect, securityHeaders });
