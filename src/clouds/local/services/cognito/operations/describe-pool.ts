import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { clientNotFound } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { type UserPool, verifiedContacts } from "../pools/user-pool.ts";
import { onPool } from "./admin-users.ts";
import { toSeconds } from "./describe.ts";
import type { Operation } from "./operation.ts";

export const describeUserPool = onPool(async (cognito, pool) => ({
  UserPool: {
    ...summaryOf(pool),
    Arn: userPoolArn(cognito, pool),
    Policies: { PasswordPolicy: describePolicy(pool) },
    UsernameAttributes: pool.usernameAttributes,
    AliasAttributes: pool.aliasAttributes,
    AutoVerifiedAttributes: verifiedContacts(pool),
    UsernameConfiguration: { CaseSensitive: false },
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: !pool.selfSignUp },
    MfaConfiguration: "OFF",
    EstimatedNumberOfUsers: cognito.store.users.count(pool.id),
  },
}));

export const describeUserPoolClient = onPool(async (cognito, pool, input) => {
  const client = cognito.store.clients.require(input.text("ClientId"));
  if (client.pool !== pool.id) throw clientNotFound(client.id);
  return { UserPoolClient: describeClient(client) };
});

export const listUserPoolClients = onPool(async (cognito, pool) => ({
  UserPoolClients: cognito.store.clients
    .of(pool.id)
    .map(({ id, name }) => ({ ClientId: id, UserPoolId: pool.id, ClientName: name })),
}));

export const listUserPools: Operation = {
  access: "signed",
  run: async (cognito) => ({ UserPools: cognito.store.pools.all().map(summaryOf) }),
};

function userPoolArn({ region, account }: Cognito, pool: UserPool): string {
  return `arn:aws:cognito-idp:${region}:${account}:userpool/${pool.id}`;
}

function summaryOf(pool: UserPool): JsonObject {
  return {
    Id: pool.id,
    Name: pool.name,
    CreationDate: toSeconds(pool.createdMs),
    LastModifiedDate: toSeconds(pool.modifiedMs),
  };
}

function describePolicy({ passwordPolicy: policy }: UserPool): JsonObject {
  return {
    MinimumLength: policy.minimumLength,
    RequireLowercase: policy.requireLowercase,
    RequireUppercase: policy.requireUppercase,
    RequireNumbers: policy.requireNumbers,
    RequireSymbols: policy.requireSymbols,
    TemporaryPasswordValidityDays: policy.temporaryPasswordDays,
  };
}

function describeClient(client: PoolClient): JsonObject {
  return {
    UserPoolId: client.pool,
    ClientId: client.id,
    ClientName: client.name,
    ...(client.secret === null ? {} : { ClientSecret: client.secret }),
    ExplicitAuthFlows: client.authFlows.map((flow) => `ALLOW_${flow}`),
    CallbackURLs: client.callbackUrls,
    LogoutURLs: client.logoutUrls,
    AllowedOAuthFlows: ["code"],
    AllowedOAuthFlowsUserPoolClient: client.callbackUrls.length > 0,
    AllowedOAuthScopes: client.scopes,
    SupportedIdentityProviders: ["COGNITO"],
    AccessTokenValidity: client.accessTokenSeconds,
    IdTokenValidity: client.idTokenSeconds,
    RefreshTokenValidity: client.refreshTokenSeconds,
    TokenValidityUnits: { AccessToken: "seconds", IdToken: "seconds", RefreshToken: "seconds" },
    PreventUserExistenceErrors: client.hidesUserExistence ? "ENABLED" : "LEGACY",
    EnableTokenRevocation: true,
    CreationDate: toSeconds(client.createdMs),
    LastModifiedDate: toSeconds(client.modifiedMs),
  };
}
