import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { clientNotFound, invalidParameter } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { checkSecretHash, equalTexts } from "../sign-in/check-secret-hash.ts";
import { guessPassword } from "../sign-in/guess-password.ts";
import { isUsernameOf } from "../sign-in/is-username-of.ts";
import { setOwnPassword } from "../sign-in/set-own-password.ts";
import { takeChallenge } from "../sign-in/take-challenge.ts";
import { expectedSignature } from "../srp/srp-server.ts";
import type { TextMap } from "../stored-json.ts";
import { checkOwnAttributes } from "../users/attributes.ts";
import { poolNameOf } from "../users/password-hashing.ts";
import { authResult, signedIn } from "./auth-result.ts";
import { required } from "./initiate-auth.ts";
import type { Operation } from "./operation.ts";
import type { OperationInput } from "./operation-input.ts";

export const respondToAuthChallenge: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const client = cognito.store.clients.require(input.text("ClientId"));
    return await respond(cognito, client, input);
  },
};

export const adminRespondToAuthChallenge: Operation = {
  access: "signed",
  run: async (cognito, input) => {
    const pool = cognito.store.pools.require(input.text("UserPoolId"));
    const client = cognito.store.clients.require(input.text("ClientId"));
    if (client.pool !== pool.id) throw clientNotFound(client.id);
    return await respond(cognito, client, input);
  },
};

async function respond(
  cognito: Cognito,
  client: PoolClient,
  input: OperationInput,
): Promise<JsonObject> {
  const name = input.text("ChallengeName");
  const responses = input.textMap("ChallengeResponses");
  checkSecretHash(client, required(responses, "USERNAME"), responses["SECRET_HASH"] ?? null);
  switch (name) {
    case "PASSWORD_VERIFIER":
      return await verifyPassword(cognito, client, responses);
    case "NEW_PASSWORD_REQUIRED":
      return await takeNewPassword(cognito, client, input.text("Session"), responses);
    default:
      throw invalidParameter(`The local cloud has no challenge ${name}`);
  }
}

/** The second half of signing in without sending the password. */
async function verifyPassword(
  cognito: Cognito,
  client: PoolClient,
  responses: TextMap,
): Promise<JsonObject> {
  const block = required(responses, "PASSWORD_CLAIM_SECRET_BLOCK");
  const signature = required(responses, "PASSWORD_CLAIM_SIGNATURE");
  const timestamp = required(responses, "TIMESTAMP");
  const challenge = takeChallenge(cognito, client, block, "password-verifier");
  const { exchange, isOfSomebody, username } = challenge;
  const isNamed = isUsernameOf(cognito, client, required(responses, "USERNAME"), username);
  const claim = {
    ...{ poolName: poolNameOf(client.pool), username, timestamp },
    secretBlock: Buffer.from(block, "base64"),
  };
  const user = await guessPassword(cognito, client, username, async () => {
    const expected = expectedSignature(exchange, claim) ?? "";
    const isRight = expected !== "" && equalTexts(expected, signature);
    return isRight && isOfSomebody && isNamed;
  });
  return await authResult(cognito, client, user);
}

const ATTRIBUTE_PREFIX = "userAttributes.";

async function takeNewPassword(
  cognito: Cognito,
  client: PoolClient,
  session: string,
  responses: TextMap,
): Promise<JsonObject> {
  const password = required(responses, "NEW_PASSWORD");
  const attributes = Object.fromEntries(
    Object.entries(responses)
      .filter(([name]) => name.startsWith(ATTRIBUTE_PREFIX))
      .map(([name, value]) => [name.slice(ATTRIBUTE_PREFIX.length), value]),
  );
  checkOwnAttributes(attributes);
  const login = required(responses, "USERNAME");
  const answer = { login, password, attributes };
  const { user, authMs } = await setOwnPassword(cognito, client, session, answer);
  return await signedIn(cognito, client, user, authMs);
}
