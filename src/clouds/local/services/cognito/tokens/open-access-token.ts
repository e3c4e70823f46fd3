import { type Cognito, issuerOf } from "../cognito.ts";
import { CognitoError, notAuthorized, userNotFound } from "../cognito-error.ts";
import type { UserPool } from "../pools/user-pool.ts";
import type { User } from "../users/user.ts";
import { claimedPool } from "./claimed-pool.ts";
import type { Grant } from "./grant-table.ts";
import { openToken } from "./json-web-token.ts";

/** Who an access token stands for. */
export interface AccessTokenHolder {
  readonly pool: UserPool;
  readonly user: User;
  readonly grant: Grant;
}

/**
 * Checks an access token: signature, pool, kind, time, and that it was not revoked.
 *
 * @param scope what the token must allow
 * @throws CognitoError `NotAuthorizedException`, `UserNotFoundException`
 */
export async function openAccessToken(
  cognito: Cognito,
  token: string,
  scope: string,
): Promise<AccessTokenHolder> {
  const pool = cognito.store.pools.find(claimedPool(token) ?? "");
  if (pool === null) throw invalidToken();
  const claims = openToken(await cognito.keys.of(pool.id), token);
  if (claims === null || claims["iss"] !== issuerOf(pool) || claims["token_use"] !== "access")
    throw invalidToken();
  const { exp, origin_jti: id, username } = claims;
  if (typeof exp !== "number" || exp * 1000 <= cognito.now())
    throw notAuthorized("Access Token has expired");
  const grant = typeof id === "string" ? cognito.store.grants.find(id) : null;
  if (grant === null || grant.revoked) throw notAuthorized("Access Token has been revoked");
  if (!grant.scopes.includes(scope))
    throw notAuthorized("Access Token does not have required scopes");
  return { pool, grant, user: holderOf(cognito, pool, username) };
}

function holderOf(cognito: Cognito, pool: UserPool, username: unknown): User {
  const user = typeof username === "string" ? cognito.store.users.get(pool.id, username) : null;
  if (user === null) throw userNotFound();
  if (!user.enabled) throw new CognitoError("NotAuthorizedException", "User is disabled.");
  return user;
}

function invalidToken(): CognitoError {
  return notAuthorized("Invalid Access Token");
}
