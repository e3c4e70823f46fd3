import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { openGrant } from "../sign-in/open-grant.ts";
import { API_SCOPE } from "../tokens/token-claims.ts";
import type { User } from "../users/user.ts";

/** What follows a right password: tokens, or the demand for a password of the user's own. */
export async function authResult(
  cognito: Cognito,
  client: PoolClient,
  user: User,
): Promise<JsonObject> {
  if (user.status === "FORCE_CHANGE_PASSWORD") return demandNewPassword(cognito, client, user);
  return await signedIn(cognito, client, user, cognito.now());
}

/** The answer with the tokens of a new sign-in. */
export async function signedIn(
  cognito: Cognito,
  client: PoolClient,
  user: User,
  authMs: number,
): Promise<JsonObject> {
  const tokens = await openGrant(cognito, {
    ...{ client, user, authMs, nonce: null },
    scopes: [API_SCOPE],
  });
  return {
    ChallengeParameters: {},
    AuthenticationResult: {
      AccessToken: tokens.accessToken,
      ExpiresIn: tokens.expiresInSeconds,
      TokenType: "Bearer",
      RefreshToken: tokens.refreshToken,
      IdToken: tokens.idToken,
    },
  };
}

function demandNewPassword(cognito: Cognito, client: PoolClient, user: User): JsonObject {
  const session = cognito.challenges.open(
    {
      kind: "new-password",
      client: client.id,
      username: user.username,
      passwordHash: user.password?.hash ?? "",
      authMs: cognito.now(),
    },
    cognito.now(),
  );
  const { sub: _, ...attributes } = user.attributes;
  return {
    ChallengeName: "NEW_PASSWORD_REQUIRED",
    Session: session,
    ChallengeParameters: {
      USER_ID_FOR_SRP: user.username,
      requiredAttributes: "[]",
      userAttributes: JSON.stringify(attributes),
    },
  };
}
