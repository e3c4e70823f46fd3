import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cognito } from "../cognito.ts";
import { corsHeaders, preflightHeaders } from "../cors.ts";
import { poolInPath } from "../pool-address.ts";
import { readBody } from "../read-body.ts";
import { authorize } from "./authorize.ts";
import { type HostedCall, type HostedReply, json } from "./hosted-call.ts";
import { showLogin, takeLogin } from "./login.ts";
import { logout } from "./logout.ts";
import { revoke } from "./revoke.ts";
import { exchangeToken } from "./token-endpoint.ts";
import { userInfo } from "./user-info.ts";
import { jsonWebKeys, openIdConfiguration } from "./well-known.ts";

interface Endpoint {
  readonly answer: (call: HostedCall) => Promise<HostedReply>;
  /** Whether it is part of the hosted login, which a pool has only with a domain. */
  readonly needsDomain: boolean;
  /** Whether scripts of front ends call it; a page that a browser shows is not for them. */
  readonly isForScripts: boolean;
}

const api = (answer: Endpoint["answer"], needsDomain = true): Endpoint => ({
  ...{ answer, needsDomain, isForScripts: true },
});
const page = (answer: Endpoint["answer"]): Endpoint => ({
  ...{ answer, needsDomain: true, isForScripts: false },
});

/** By method and path below the pool's. */
const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ["GET /.well-known/jwks.json", api(jsonWebKeys, false)],
  ["GET /.well-known/openid-configuration", api(openIdConfiguration, false)],
  ["GET /oauth2/authorize", page(authorize)],
  ["GET /login", page(showLogin)],
  ["POST /login", page(takeLogin)],
  ["GET /logout", page(logout)],
  ["POST /oauth2/token", api(exchangeToken)],
  ["GET /oauth2/userInfo", api(userInfo)],
  ["POST /oauth2/userInfo", api(userInfo)],
  ["POST /oauth2/revoke", api(revoke)],
]);

/** Answers a request below a pool's path. @throws CognitoError when its body is too large */
export async function answerHosted(
  cognito: Cognito,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { poolId, path, query } = poolInPath(request.url ?? "") ?? notHere();
  const pool = cognito.store.pools.find(poolId);
  if (request.method === "OPTIONS") {
    send(request, response, { status: 204, headers: preflightHeaders(request), body: "" });
    return;
  }
  const endpoint = ENDPOINTS.get(`${request.method} ${path}`);
  if (pool === null || endpoint === undefined || (endpoint.needsDomain && !pool.hostedLogin)) {
    send(request, response, json(404, { error: "not_found" }));
    return;
  }
  const body = request.method === "POST" ? await readBody(request) : Buffer.alloc(0);
  const reply = await endpoint.answer({ cognito, pool, request, query, body });
  const cors = endpoint.isForScripts ? corsHeaders(request) : {};
  send(request, response, { ...reply, headers: { ...cors, ...reply.headers } });
}

function send(request: IncomingMessage, response: ServerResponse, reply: HostedReply): void {
  const headers = Object.entries(reply.headers).map(
    ([name, value]) => [name, typeof value === "string" ? value : [...value]] as const,
  );
  response.writeHead(reply.status, {
    "cache-control": "no-store",
    // `same-origin` and not less: a form without a referrer would be sent with the origin `null`.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    ...Object.fromEntries(headers),
    "content-length": Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
  // What is left of a refused body must be read, or the client never gets to read the answer.
  request.resume();
}

function notHere(): never {
  throw new Error("the request is below no user pool's path");
}
