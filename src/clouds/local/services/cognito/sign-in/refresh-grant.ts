import type { Cognito } from "../cognito.ts";
import { notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { Grant } from "../tokens/grant-table.ts";
import type { User } from "../users/user.ts";

/**
 * The grant of a refresh token and its user.
 *
 * @throws CognitoError `NotAuthorizedException` when it is unknown, another client's, expired,
 * revoked, or its user is gone or disabled
 */
export function findRefreshedGrant(
  cognito: Cognito,
  client: PoolClient,
  refreshToken: string,
): { readonly grant: Grant; readonly user: User } {
  const grant = cognito.store.grants.findByRefreshToken(refreshToken);
  if (grant === null || grant.client !== client.id) throw notAuthorized("Invalid Refresh Token");
  if (grant.revoked) throw notAuthorized("Refresh Token has been revoked");
  if (grant.expiresMs <= cognito.now()) throw notAuthorized("Refresh Token has expired");
  const user = cognito.store.users.get(grant.pool, grant.username);
  if (user === null) throw notAuthorized("Invalid Refresh Token");
  if (!user.enabled) throw notAuthorized("User is disabled.");
  return { grant, user };
}
