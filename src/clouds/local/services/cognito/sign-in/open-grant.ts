import { randomBytes, randomUUID } from "node:crypto";
import { type Cognito, issuerOf } from "../cognito.ts";
import { notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { Grant } from "../tokens/grant-table.ts";
import { signToken } from "../tokens/json-web-token.ts";
import { accessTokenClaims, idTokenClaims } from "../tokens/token-claims.ts";
import type { User } from "../users/user.ts";

export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string;
  readonly expiresInSeconds: number;
}

export interface NewGrant {
  readonly client: PoolClient;
  readonly user: User;
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  /** When the user showed the password. */
  readonly authMs: number;
}

const REFRESH_TOKEN_BYTES = 48;

/**
 * Signs a user in: a grant, its first tokens and its refresh token.
 *
 * @param inCommit done in the commit that makes the grant, which is given its id
 * @throws CognitoError `NotAuthorizedException` when the user has changed since the password was
 * checked, for example was disabled
 */
export async function openGrant(
  cognito: Cognito,
  request: NewGrant,
  inCommit: (grant: string) => void = () => {},
): Promise<Tokens & { readonly refreshToken: string }> {
  const { client, user } = request;
  const refreshToken = randomBytes(REFRESH_TOKEN_BYTES).toString("base64url");
  const nowMs = cognito.now();
  const grant: Grant = {
    id: randomUUID(),
    pool: client.pool,
    client: client.id,
    username: user.username,
    scopes: request.scopes,
    nonce: request.nonce,
    authMs: request.authMs,
    expiresMs: nowMs + client.refreshTokenSeconds * 1000,
    revoked: false,
  };
  await cognito.store.commit(() => {
    const current = cognito.store.users.get(user.pool, user.username);
    if (current === null || !current.enabled || current.password?.hash !== user.password?.hash)
      throw notAuthorized("The user was changed during the sign-in.");
    cognito.store.grants.add(grant, refreshToken, nowMs);
    inCommit(grant.id);
  });
  return { ...(await tokensOf(cognito, client, user, grant)), refreshToken };
}

/** New tokens of a grant, with what the user is now. */
export async function tokensOf(
  cognito: Cognito,
  client: PoolClient,
  user: User,
  grant: Grant,
): Promise<Tokens> {
  const pool = cognito.store.pools.require(client.pool);
  const key = await cognito.keys.of(pool.id);
  const subject = {
    issuer: issuerOf(pool),
    client,
    user,
    groups: cognito.store.groups.ofUser(pool.id, user.username),
    grant,
    nowMs: cognito.now(),
  };
  const accessToken = signToken(key, accessTokenClaims(subject));
  return {
    accessToken,
    idToken: signToken(key, idTokenClaims(subject, accessToken)),
    expiresInSeconds: client.accessTokenSeconds,
  };
}
