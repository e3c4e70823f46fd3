import type {
  ExplicitAuthFlowsType,
  UserPoolClientType,
} from "@aws-sdk/client-cognito-identity-provider";
import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { dependencyOutput } from "../dependency-output.ts";
import { unless } from "../has-name.ts";
import { booleanIn, numberIn, stringIn, stringsIn } from "../input-parsers.ts";

const ABSENT = "ResourceNotFoundException";
/** What Cognito fixes when it makes a client. */
const FIXED: readonly string[] = ["pool", "generateSecret"];
/** As many as one page holds. */
const PAGE = 60;
/** More than a pool may have. */
const PAGES_MAX = 200;

/**
 * `aws:user-pool-client`: inputs pool (its id), callbackUrls, logoutUrls, generateSecret, authFlows, scopes,
 * accessTokenMinutes, idTokenMinutes, refreshTokenDays, hidesUserExistence; outputs id, and secret when it has one.
 * Its physical name is the name that it has in its pool.
 */
export function userPoolClientHandler(clients: AwsClients): ResourceHandler {
  const byId = async (pool: string, client: string, { signal }: HandlerContext) => {
    const { DescribeUserPoolClientCommand } = await sdk();
    const request = { UserPoolId: pool, ClientId: client };
    const answer = await unless(
      (await clients.cognito()).send(new DescribeUserPoolClientCommand(request), {
        abortSignal: signal,
      }),
      ABSENT,
    );
    return answer?.UserPoolClient === undefined ? null : foundOf(pool, answer.UserPoolClient);
  };
  return awsResource<UserPoolClientType>({
    type: AWS_TYPES.userPoolClient,
    recovery: "server-named",
    data: false,
    naming: { maxLength: 128, lowerCase: false },
    consistencyWindowMs: 10_000,
    replaces: (changedKeys, before) =>
      before === null ? [] : changedKeys.filter((key) => FIXED.includes(key)),
    stableOutputs: ["id", "secret"],
    secretOutputs: ["secret"],
    find: async (context, id) => {
      if (id !== null) {
        const at = id.indexOf("/");
        return byId(id.slice(0, at), id.slice(at + 1), context);
      }
      const pool = dependencyOutput(context, AWS_TYPES.userPool, "id");
      const client = pool === null ? null : await clientNamed(clients, pool, context);
      return pool === null || client === null ? null : byId(pool, client, context);
    },
    make: async ({ physicalName, signal }, inputs) => {
      const { CreateUserPoolClientCommand } = await sdk();
      const pool = stringIn(inputs, "pool");
      const request = {
        ...{ UserPoolId: pool, ClientName: physicalName },
        GenerateSecret: booleanIn(inputs, "generateSecret"),
        ...settingsOf(inputs),
      };
      const made = await (await clients.cognito()).send(new CreateUserPoolClientCommand(request), {
        abortSignal: signal,
      });
      return foundOf(pool, made.UserPoolClient ?? {});
    },
    converge: async ({ physicalName, signal }, { thing }, inputs, changed) => {
      const { UpdateUserPoolClientCommand } = await sdk();
      await (await clients.cognito()).send(
        new UpdateUserPoolClientCommand({
          ...{ UserPoolId: thing.UserPoolId, ClientId: thing.ClientId },
          ClientName: physicalName,
          ...settingsOf(inputs),
        }),
        { abortSignal: signal },
      );
      changed();
      return null;
    },
    erase: async ({ signal }, { thing }, changed) => {
      const { DeleteUserPoolClientCommand } = await sdk();
      const request = { UserPoolId: thing.UserPoolId, ClientId: thing.ClientId };
      await unless(
        (await clients.cognito()).send(new DeleteUserPoolClientCommand(request), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      changed();
      return null;
    },
  });
}

function sdk() {
  return import("@aws-sdk/client-cognito-identity-provider");
}

function foundOf(pool: string, client: UserPoolClientType): Found<UserPoolClientType> {
  const { ClientId = "", ClientSecret } = client;
  return {
    ...{ id: `${pool}/${ClientId}`, tags: null, pending: null },
    thing: { ...client, UserPoolId: pool },
    outputs: { id: ClientId, ...(ClientSecret === undefined ? {} : { secret: ClientSecret }) },
  };
}

async function clientNamed(
  clients: AwsClients,
  UserPoolId: string,
  { physicalName, signal }: HandlerContext,
): Promise<string | null> {
  const { ListUserPoolClientsCommand } = await sdk();
  const cognito = await clients.cognito();
  let token: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const next = token === undefined ? {} : { NextToken: token };
    const page = await unless(
      cognito.send(new ListUserPoolClientsCommand({ UserPoolId, MaxResults: PAGE, ...next }), {
        abortSignal: signal,
      }),
      ABSENT,
    );
    const found = page?.UserPoolClients?.find(({ ClientName }) => ClientName === physicalName);
    if (found?.ClientId !== undefined) return found.ClientId;
    token = page?.NextToken;
    if (token === undefined) return null;
  }
  throw new Error(`the list of clients has more than ${PAGES_MAX} pages`);
}

/** All that is ours to say; what an update leaves out is reset. */
function settingsOf(inputs: Inputs) {
  const callbackUrls = stringsIn(inputs, "callbackUrls");
  return {
    ExplicitAuthFlows: stringsIn(inputs, "authFlows").map(authFlow),
    AccessTokenValidity: numberIn(inputs, "accessTokenMinutes"),
    IdTokenValidity: numberIn(inputs, "idTokenMinutes"),
    RefreshTokenValidity: numberIn(inputs, "refreshTokenDays"),
    TokenValidityUnits: {
      ...({ AccessToken: "minutes", IdToken: "minutes", RefreshToken: "days" } as const),
    },
    PreventUserExistenceErrors: booleanIn(inputs, "hidesUserExistence")
      ? ("ENABLED" as const)
      : ("LEGACY" as const),
    EnableTokenRevocation: true,
    SupportedIdentityProviders: ["COGNITO"],
    // Cognito takes no hosted login without an address to come back to.
    ...(callbackUrls.length === 0 ? {} : hostedLogin(inputs, callbackUrls)),
  };
}

function hostedLogin(inputs: Inputs, CallbackURLs: string[]) {
  return {
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ["code" as const],
    AllowedOAuthScopes: stringsIn(inputs, "scopes"),
    CallbackURLs,
    LogoutURLs: stringsIn(inputs, "logoutUrls"),
  };
}

function authFlow(name: string): ExplicitAuthFlowsType {
  switch (name) {
    case "USER_PASSWORD_AUTH":
      return "ALLOW_USER_PASSWORD_AUTH";
    case "USER_SRP_AUTH":
      return "ALLOW_USER_SRP_AUTH";
    case "ADMIN_USER_PASSWORD_AUTH":
      return "ALLOW_ADMIN_USER_PASSWORD_AUTH";
    case "REFRESH_TOKEN_AUTH":
      return "ALLOW_REFRESH_TOKEN_AUTH";
    default:
      throw new Error(`${name} is no way to sign in`);
  }
}
