import { createHash, randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../../model/json.ts";
import type { Group } from "../groups/group-table.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { User } from "../users/user.ts";
import type { Grant } from "./grant-table.ts";

/** The scope of tokens from the API, and of those that may use it. */
export const API_SCOPE = "aws.cognito.signin.user.admin";

export interface TokenSubject {
  /** `https://cognito-idp.<region>.amazonaws.com/<pool id>` */
  readonly issuer: string;
  readonly client: PoolClient;
  readonly user: User;
  readonly groups: readonly Group[];
  readonly grant: Grant;
  readonly nowMs: number;
}

/**
 * docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function accessTokenClaims(subject: TokenSubject): JsonObject {
  const { client, grant, user } = subject;
  return {
    sub: user.attributes["sub"] ?? user.username,
    ...groupNames(subject.groups),
    iss: subject.issuer,
    // Tokens of the OAuth endpoints say which form they have.
    ...(isFromApi(grant) ? {} : { version: 2 }),
    client_id: client.id,
    origin_jti: grant.id,
    event_id: randomUUID(),
    token_use: "access",
    scope: grant.scopes.join(" "),
    ...timesOf(subject, client.accessTokenSeconds),
    jti: randomUUID(),
    username: user.username,
  };
}

/**
 * docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 */
export function idTokenClaims(subject: TokenSubject, accessToken: string): JsonObject {
  const { client, grant, user } = subject;
  return {
    ...(isFromApi(grant) ? {} : { at_hash: accessTokenHash(accessToken) }),
    ...userClaims(user, grant.scopes),
    ...groupNames(subject.groups),
    ...groupRoles(subject.groups),
    iss: subject.issuer,
    "cognito:username": user.username,
    ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    origin_jti: grant.id,
    aud: client.id,
    event_id: randomUUID(),
    token_use: "id",
    ...timesOf(subject, client.idTokenSeconds),
    jti: randomUUID(),
  };
}

/** What an id token and `userInfo` say about a user, as far as the scopes go. */
export function userClaims(user: User, scopes: readonly string[]): JsonObject {
  const visible = Object.entries(user.attributes).filter(([name]) => isVisible(name, scopes));
  return Object.fromEntries(
    visible.map(([name, value]) => [name, name.endsWith("_verified") ? value === "true" : value]),
  );
}

/** `openid` alone opens everything, as does `profile`; otherwise each scope opens its own. */
function isVisible(name: string, scopes: readonly string[]): boolean {
  if (name === "sub" || scopes.includes(API_SCOPE) || scopes.includes("profile")) return true;
  if (!scopes.includes("email") && !scopes.includes("phone")) return true;
  if (name.startsWith("email")) return scopes.includes("email");
  return name.startsWith("phone_number") && scopes.includes("phone");
}

function isFromApi(grant: Grant): boolean {
  return grant.scopes.length === 1 && grant.scopes[0] === API_SCOPE;
}

function timesOf({ grant, nowMs }: TokenSubject, lifetimeSeconds: number): JsonObject {
  const now = Math.floor(nowMs / 1000);
  return { auth_time: Math.floor(grant.authMs / 1000), exp: now + lifetimeSeconds, iat: now };
}

function groupNames(groups: readonly Group[]): JsonObject {
  return groups.length === 0 ? {} : { "cognito:groups": groups.map(({ name }) => name) };
}

function groupRoles(groups: readonly Group[]): JsonObject {
  const roles = groups.map(({ roleArn }) => roleArn).filter((role) => role !== "");
  const [first] = roles;
  return first === undefined
    ? {}
    : { "cognito:roles": roles, "cognito:preferred_role": groups[0]?.roleArn || first };
}

/** OpenID Connect Core, section 3.1.3.6: the left half of the hash. */
function accessTokenHash(accessToken: string): string {
  return createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url");
}
