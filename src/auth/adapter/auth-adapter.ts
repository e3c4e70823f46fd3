import type { RequestEvent } from "../http/request-event.ts";

/** A user that an adapter vouches for. */
export interface VerifiedUser {
  /** The token's subject. */
  readonly id: string;
  readonly email: string;
}

/**
 * Turns a request's credential into a user. Write one for an issuer that none of the built-in ones is for: take the
 * token with `bearer(event)`, verify it, and return `id` and `email`. `testAdapter` tells what it gets wrong.
 */
export interface AuthAdapter {
  /**
   * @throws Unauthorized when the request has no token
   * @throws InvalidToken, TokenExpired when it has one that is not right
   */
  verify(event: RequestEvent): Promise<VerifiedUser>;
}
