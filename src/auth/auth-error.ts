/**
 * Why a request was refused. For logs and tests; a client sees only one of three bodies.
 *
 * - `UNAUTHORIZED`: the request carries no bearer token
 * - `CREDENTIAL_INVALID`: it carries two, or something behind `Bearer` that is no token
 * - `TOKEN_MALFORMED`: not a signed token in compact form, too long, or with JSON that could be read in two ways
 * - `HEADER_REFUSED`: the token's header asks for something that is not allowed, such as another algorithm
 * - `KEY_UNKNOWN`: no usable key of the key set has the token's key id
 * - `JWKS_UNAVAILABLE`: the key set could not be had; an outage of the issuer, not the client's mistake
 * - `SIGNATURE_INVALID`: the signature is not of that key
 * - `CLAIM_INVALID`: a claim is missing or wrong; `claim` names it
 * - `TOKEN_EXPIRED`: everything else about the token is right
 * - `EMAIL_UNAVAILABLE`: the token is right, but no email address belongs to it
 */
export type AuthErrorCode =
  | "UNAUTHORIZED"
  | "CREDENTIAL_INVALID"
  | "TOKEN_MALFORMED"
  | "HEADER_REFUSED"
  | "KEY_UNKNOWN"
  | "JWKS_UNAVAILABLE"
  | "SIGNATURE_INVALID"
  | "CLAIM_INVALID"
  | "TOKEN_EXPIRED"
  | "EMAIL_UNAVAILABLE";

/** All that a client is told. */
export type AuthErrorBody = "Unauthorized" | "Invalid token" | "Token expired";

/**
 * A refused request. Neither the message nor any member holds a part of the token.
 *
 * @example
 * import { auth, AuthError } from "scrim/auth";
 * import { AuthAdapter } from "scrim/auth/adapter";
 *
 * const adapter = AuthAdapter.oidc({ issuer: "https://issuer.example", audience: "notes" });
 *
 * export const handler = auth.authorizer(async (event) => {
 *   try {
 *     return { user: await adapter.verify(event) };
 *   } catch (error) {
 *     const isOutage = error instanceof AuthError && error.code === "JWKS_UNAVAILABLE";
 *     if (isOutage) return { statusCode: 503, body: "Try again later" };
 *     throw error;
 *   }
 * });
 */
export abstract class AuthError extends Error {
  /** HTTP status of the answer. */
  readonly statusCode = 401;
  readonly code: AuthErrorCode;
  /** Body of the answer. */
  abstract readonly body: AuthErrorBody;
  /** The claim that failed, with `CLAIM_INVALID` and `TOKEN_EXPIRED`. */
  readonly claim: string | undefined;

  constructor(code: AuthErrorCode, message: string, claim?: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.claim = claim;
  }
}

/**
 * There is no bearer token.
 *
 * @example
 * import { auth, Unauthorized } from "scrim/auth";
 *
 * const sessions = new Map([["session-of-ada", { id: "ada" }]]);
 *
 * export const handler = auth.authorizer((event) => {
 *   const user = sessions.get(event.headers?.["x-session"] ?? "");
 *   if (user === undefined) throw new Unauthorized();
 *   return { user };
 * });
 */
export class Unauthorized extends AuthError {
  readonly body = "Unauthorized";

  constructor(message = "The request has no bearer token") {
    super("UNAUTHORIZED", message);
  }
}

/** There is a token, and it is not right. */
export class InvalidToken extends AuthError {
  readonly body = "Invalid token";
}

/**
 * The token was right until its `exp`. A forged token is never told to be expired.
 *
 * @example
 * import { auth, bearer, TokenExpired, verifyToken } from "scrim/auth";
 *
 * const jwksUri = "https://issuer.example/.well-known/jwks.json";
 *
 * export const handler = async (event: { headers?: Record<string, string> }) => {
 *   try {
 *     const { sub } = await verifyToken(bearer(event), { jwksUri, audience: "notes" });
 *     return { statusCode: 200, body: sub, headers: auth.securityHeaders };
 *   } catch (error) {
 *     const location = error instanceof TokenExpired ? "/renew" : "/sign-in";
 *     return { statusCode: 302, headers: { location } };
 *   }
 * };
 */
export class TokenExpired extends AuthError {
  readonly body = "Token expired";

  constructor() {
    super("TOKEN_EXPIRED", "The token has expired", "exp");
  }
}

/** The key set could not be fetched or read. */
export class JwksUnavailable extends InvalidToken {
  constructor(message: string) {
    super("JWKS_UNAVAILABLE", message);
  }
}

/** A refusal for one claim. */
export function claimInvalid(claim: string, message: string): InvalidToken {
  return new InvalidToken("CLAIM_INVALID", message, claim);
}

/** A refusal for the token's form. */
export function malformed(message: string): InvalidToken {
  return new InvalidToken("TOKEN_MALFORMED", message);
}
