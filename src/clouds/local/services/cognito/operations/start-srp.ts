import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { invalidParameter, userNotFound } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { parseClientPublic, startSrpExchange } from "../srp/srp-server.ts";
import type { User } from "../users/user.ts";

/** The first half of signing in without sending the password: the server's numbers. */
export async function startSrp(
  cognito: Cognito,
  client: PoolClient,
  login: string,
  clientPublicHex: string,
): Promise<JsonObject> {
  const clientPublic = parseClientPublic(clientPublicHex);
  if (clientPublic === null) throw invalidParameter("SRP_A is not a number of the group");
  const user = cognito.store.users.find(client.pool, login);
  if (user === null && !client.hidesUserExistence) throw userNotFound();
  const known = user === null ? null : proofOf(user);
  // Made for everybody, so that the time tells nothing.
  const invented = await inventProof(cognito, client, login);
  const { username, srpSalt, srpVerifier } = known ?? invented;
  const exchange = startSrpExchange(clientPublic, srpVerifier);
  const secretBlock = cognito.challenges.open(
    {
      kind: "password-verifier",
      client: client.id,
      username,
      exchange,
      isOfSomebody: known !== null,
    },
    cognito.now(),
  );
  return {
    ChallengeName: "PASSWORD_VERIFIER",
    ChallengeParameters: {
      USERNAME: username,
      USER_ID_FOR_SRP: username,
      SALT: srpSalt,
      SRP_B: exchange.serverPublic.toString(16),
      SECRET_BLOCK: secretBlock,
    },
  };
}

interface Proof {
  readonly username: string;
  readonly srpSalt: string;
  readonly srpVerifier: string;
}

function proofOf(user: User): Proof | null {
  return user.password === null ? null : { ...user.password, username: user.username };
}

/**
 * What an unknown user's salt and name would be: the same every time, as a real one's, and not to
 * be told from them without the pool's key. The verifier is no password's; what the client sees of
 * one is a random number either way.
 */
async function inventProof(cognito: Cognito, client: PoolClient, login: string): Promise<Proof> {
  const key = await cognito.keys.of(client.pool);
  const secret = key.privateKey.export({ type: "pkcs8", format: "der" });
  const lower = login.toLowerCase();
  const derived = createHmac("sha256", secret).update(`nobody\0${client.pool}\0${lower}`).digest();
  const pool = cognito.store.pools.require(client.pool);
  const username = pool.usernameAttributes.length > 0 ? uuidOf(derived.subarray(16)) : lower;
  return {
    username,
    srpSalt: derived.subarray(0, 16).toString("hex"),
    srpVerifier: derived.toString("hex"),
  };
}

/** Sixteen bytes in the form of a random UUID (RFC 9562, version 4). */
function uuidOf(bytes: Buffer): string {
  const copy = Buffer.from(bytes);
  copy[6] = ((copy[6] ?? 0) & 0x0f) | 0x40;
  copy[8] = ((copy[8] ?? 0) & 0x3f) | 0x80;
  return copy.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
