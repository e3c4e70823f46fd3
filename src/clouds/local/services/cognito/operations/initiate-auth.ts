import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { clientNotFound, invalidParameter } from "../cognito-error.ts";
import type { AuthFlow, PoolClient } from "../pools/pool-client.ts";
import { checkSecretHash } from "../sign-in/check-secret-hash.ts";
import { signInWithPassword } from "../sign-in/guess-password.ts";
import { tokensOf } from "../sign-in/open-grant.ts";
import { findRefreshedGrant } from "../sign-in/refresh-grant.ts";
import type { TextMap } from "../stored-json.ts";
import { authResult } from "./auth-result.ts";
import type { Operation } from "./operation.ts";
import { startSrp } from "./start-srp.ts";

/** The flows of the two operations, by the names that clients may use for them. */
const PUBLIC_FLOWS: Readonly<Record<string, AuthFlow>> = {
  USER_PASSWORD_AUTH: "USER_PASSWORD_AUTH",
  USER_SRP_AUTH: "USER_SRP_AUTH",
  REFRESH_TOKEN_AUTH: "REFRESH_TOKEN_AUTH",
  REFRESH_TOKEN: "REFRESH_TOKEN_AUTH",
};
const ADMIN_FLOWS: Readonly<Record<string, AuthFlow>> = {
  ADMIN_USER_PASSWORD_AUTH: "ADMIN_USER_PASSWORD_AUTH",
  ADMIN_NO_SRP_AUTH: "ADMIN_USER_PASSWORD_AUTH",
  USER_SRP_AUTH: "USER_SRP_AUTH",
  REFRESH_TOKEN_AUTH: "REFRESH_TOKEN_AUTH",
  REFRESH_TOKEN: "REFRESH_TOKEN_AUTH",
};

export const initiateAuth: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const client = cognito.store.clients.require(input.text("ClientId"));
    const flow = flowOf(input.text("AuthFlow"), PUBLIC_FLOWS, client);
    return await startAuth(cognito, client, flow, input.textMap("AuthParameters"));
  },
};

export const adminInitiateAuth: Operation = {
  access: "signed",
  run: async (cognito, input) => {
    const pool = cognito.store.pools.require(input.text("UserPoolId"));
    const client = cognito.store.clients.require(input.text("ClientId"));
    if (client.pool !== pool.id) throw clientNotFound(client.id);
    const flow = flowOf(input.text("AuthFlow"), ADMIN_FLOWS, client);
    return await startAuth(cognito, client, flow, input.textMap("AuthParameters"));
  },
};

function flowOf(
  name: string,
  flows: Readonly<Record<string, AuthFlow>>,
  client: PoolClient,
): AuthFlow {
  const flow = Object.hasOwn(flows, name) ? flows[name] : undefined;
  if (flow === undefined)
    throw invalidParameter(`The local cloud has no auth flow ${name} for this operation`);
  if (!client.authFlows.includes(flow))
    throw invalidParameter(`${name} flow not enabled for this client`);
  return flow;
}

async function startAuth(
  cognito: Cognito,
  client: PoolClient,
  flow: AuthFlow,
  parameters: TextMap,
): Promise<JsonObject> {
  if (flow === "REFRESH_TOKEN_AUTH") return await refresh(cognito, client, parameters);
  const username = required(parameters, "USERNAME");
  checkSecretHash(client, username, parameters["SECRET_HASH"] ?? null);
  if (flow === "USER_SRP_AUTH") {
    return await startSrp(cognito, client, username, required(parameters, "SRP_A"));
  }
  const password = required(parameters, "PASSWORD");
  const user = await signInWithPassword(cognito, client, username, password);
  return await authResult(cognito, client, user);
}

async function refresh(
  cognito: Cognito,
  client: PoolClient,
  parameters: TextMap,
): Promise<JsonObject> {
  const token = required(parameters, "REFRESH_TOKEN");
  const { grant, user } = findRefreshedGrant(cognito, client, token);
  checkSecretHash(client, grant.username, parameters["SECRET_HASH"] ?? null);
  const tokens = await tokensOf(cognito, client, user, grant);
  return {
    ChallengeParameters: {},
    AuthenticationResult: {
      AccessToken: tokens.accessToken,
      ExpiresIn: tokens.expiresInSeconds,
      TokenType: "Bearer",
      IdToken: tokens.idToken,
    },
  };
}

/** @throws CognitoError `InvalidParameterException` */
export function required(parameters: TextMap, name: string): string {
  const value = parameters[name];
  if (value === undefined || value === "")
    throw invalidParameter(`Missing required parameter ${name}`);
  return value;
}
