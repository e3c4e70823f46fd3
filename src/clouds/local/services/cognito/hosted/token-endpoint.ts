import { createHash } from "node:crypto";
import { CognitoError } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { equalTexts } from "../sign-in/check-secret-hash.ts";
import { openGrant, type Tokens, tokensOf } from "../sign-in/open-grant.ts";
import { findRefreshedGrant } from "../sign-in/refresh-grant.ts";
import type { TextMap } from "../stored-json.ts";
import type { Authorization } from "./authorization-table.ts";
import { authenticateClient } from "./client-credentials.ts";
import { type HostedCall, type HostedReply, json } from "./hosted-call.ts";
import { readForm } from "./parameters.ts";

/** `POST oauth2/token`: forms only, as with Cognito. */
export async function exchangeToken(call: HostedCall): Promise<HostedReply> {
  const form = readForm(call.request.headers["content-type"], call.body);
  if (form === null) return refuse("invalid_request");
  const client = authenticateClient(call, form);
  if (client === null) return refuse("invalid_client");
  try {
    return await exchange(call, client, form);
  } catch (error) {
    if (error instanceof CognitoError && error.status < 500) return refuse("invalid_grant");
    throw error;
  }
}

async function exchange(call: HostedCall, client: PoolClient, form: TextMap): Promise<HostedReply> {
  switch (form["grant_type"]) {
    case "authorization_code":
      return await exchangeCode(call, client, form);
    case "refresh_token":
      return await refresh(call, client, form);
    case "client_credentials":
      // Its scopes are those of resource servers, which the local cloud does not have.
      return refuse("unauthorized_client");
    default:
      return refuse(
        form["grant_type"] === undefined ? "invalid_request" : "unsupported_grant_type",
      );
  }
}

async function exchangeCode(
  { cognito, pool }: HostedCall,
  client: PoolClient,
  form: TextMap,
): Promise<HostedReply> {
  const { store } = cognito;
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = form;
  if (code === undefined || redirectUri === undefined) return refuse("invalid_request");
  const found = store.authorizations.find(code);
  if (found === null || found.pool !== pool.id || found.client !== client.id)
    return refuse("invalid_grant");
  const { grant } = found;
  if (grant !== null) {
    // Somebody has the code who should not (RFC 6749, section 4.1.2): what it gave ends.
    await store.commit(() => store.grants.revoke(grant));
    return refuse("invalid_grant");
  }
  if (found.expiresMs <= cognito.now() || found.redirectUri !== redirectUri)
    return refuse("invalid_grant");
  if (!isProven(found, verifier)) return refuse("invalid_grant");
  const user = store.users.require(pool.id, found.username);
  const { scopes, nonce, authMs } = found;
  const tokens = await openGrant(cognito, { client, user, scopes, nonce, authMs }, (id) => {
    // Of two exchanges at the same time one is the first.
    if (store.authorizations.find(code)?.grant !== null) throw usedAlready();
    store.authorizations.use(code, id);
  });
  return answer(tokens, scopes, { refresh_token: tokens.refreshToken });
}

async function refresh(
  { cognito }: HostedCall,
  client: PoolClient,
  form: TextMap,
): Promise<HostedReply> {
  const token = form["refresh_token"];
  if (token === undefined) return refuse("invalid_request");
  const { grant, user } = findRefreshedGrant(cognito, client, token);
  return answer(await tokensOf(cognito, client, user, grant), grant.scopes, {});
}

function answer(
  tokens: Tokens,
  scopes: readonly string[],
  more: Readonly<Record<string, string>>,
): HostedReply {
  const isOpenId = scopes.includes("openid") || scopes.includes("aws.cognito.signin.user.admin");
  return json(200, {
    ...(isOpenId ? { id_token: tokens.idToken } : {}),
    access_token: tokens.accessToken,
    ...more,
    expires_in: tokens.expiresInSeconds,
    token_type: "Bearer",
  });
}

/** PKCE (RFC 7636, section 4.6). A verifier without a challenge is a sign of a mixed-up code. */
function isProven({ challenge }: Authorization, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && !verifier;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return equalTexts(createHash("sha256").update(verifier).digest("base64url"), challenge);
}

function usedAlready(): CognitoError {
  return new CognitoError("NotAuthorizedException", "The code was used already.");
}

function refuse(error: string): HostedReply {
  return json(400, { error });
}
