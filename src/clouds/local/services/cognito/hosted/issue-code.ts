import { randomBytes } from "node:crypto";
import type { User } from "../users/user.ts";
import { type AuthorizeRequest, callbackLocation } from "./authorize-request.ts";
import { BROWSER_SESSION_MS } from "./browser-session-table.ts";
import { SESSION_COOKIE, setCookie } from "./cookies.ts";
import { type HostedCall, type HostedReply, redirect } from "./hosted-call.ts";

/** As long as Cognito's codes live. */
const CODE_LIFETIME_MS = 5 * 60_000;
const TOKEN_BYTES = 32;

/**
 * Sends a user who has just signed in back to the client, with a code and a session of the pages.
 */
export async function finishLogin(
  call: HostedCall,
  request: AuthorizeRequest,
  user: User,
  authMs: number,
): Promise<HostedReply> {
  const { cognito, pool } = call;
  const session = randomBytes(TOKEN_BYTES).toString("base64url");
  const { username } = user;
  await cognito.store.commit(() =>
    cognito.store.browserSessions.add(session, { pool: pool.id, username, authMs }, cognito.now()),
  );
  const cookie = setCookie(pool, SESSION_COOKIE, session, BROWSER_SESSION_MS / 1000);
  return await issueCode(call, request, username, authMs, { "set-cookie": cookie });
}

/** Makes a code, durable before it is sent, and sends it to the client through the browser. */
export async function issueCode(
  { cognito, pool }: HostedCall,
  request: AuthorizeRequest,
  username: string,
  authMs: number,
  headers: HostedReply["headers"] = {},
): Promise<HostedReply> {
  const code = randomBytes(TOKEN_BYTES).toString("base64url");
  const nowMs = cognito.now();
  const authorization = {
    pool: pool.id,
    client: request.client.id,
    username,
    redirectUri: request.redirectUri,
    scopes: request.scopes,
    nonce: request.nonce,
    challenge: request.challenge,
    authMs,
    expiresMs: nowMs + CODE_LIFETIME_MS,
    grant: null,
  };
  await cognito.store.commit(() => cognito.store.authorizations.add(code, authorization, nowMs));
  return redirect(callbackLocation(request.redirectUri, request.state, { code }), headers);
}
