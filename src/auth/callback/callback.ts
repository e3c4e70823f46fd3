import { queryValue, type RequestEvent } from "../http/request-event.ts";
import { type HttpResponse, textResponse } from "../http/response.ts";
import { logRefusal } from "../log.ts";
import { setCookie, signInCookie } from "./cookies.ts";
import { exchangeCode, type GrantedToken } from "./exchange-code.ts";
import { type OAuthClient, type OAuthOptions, readOAuthOptions } from "./oauth-options.ts";
import { openSignIn } from "./sign-in-state.ts";
import { useOnce } from "./used-states.ts";

/** RFC 6749 names no limit; the codes of real providers have some hundred characters. */
const CODE = /^[\x20-\x7e]{1,2048}$/;

/** Browsers drop cookies of more than 4,096 bytes, name and attributes included, without a word. */
const COOKIE_TOKEN_CHARS_MAX = 3_900;

/**
 * Makes the handler that the provider sends the browser back to: it exchanges `code` for an access token and sends
 * the browser on to `/dashboard?token=...`, or as `path` and `mode` say. A missing code is answered with 400
 * `Missing code parameter`, a sign-in that was not started here with 400 `Sign-in failed`, and a token endpoint that
 * gives no token with 502 `Sign-in failed`.
 *
 * @throws TypeError for options that cannot be meant
 * @example
 * import { auth } from "scrim/auth";
 *
 * export const handler = auth.callback({
 *   tokenUrl: "https://issuer.example/token",
 *   clientId: process.env.CLIENT_ID ?? "",
 *   clientSecret: process.env.CLIENT_SECRET ?? "",
 * });
 */
export function callback(options: OAuthOptions): (event: RequestEvent) => Promise<HttpResponse> {
  const client = readOAuthOptions("auth.callback()", options);
  return async (event) => {
    const sealed = signInCookie(event);
    const answer = await finishSignIn(client, event, sealed);
    if (sealed === undefined) return answer;
    const forgotten = setCookie(event, "sign-in", "", 0);
    return { ...answer, cookies: [...(answer.cookies ?? []), forgotten] };
  };
}

async function finishSignIn(
  client: OAuthClient,
  event: RequestEvent,
  sealed: string | undefined,
): Promise<HttpResponse> {
  const code = queryValue(event, "code");
  const error = queryValue(event, "error");
  if (error !== undefined) logRefusal("Sign-in refused by the provider", errorCode(error), event);
  if (code === undefined || !CODE.test(code)) return textResponse(400, "Missing code parameter");
  if (error !== undefined) return textResponse(400, "Sign-in failed");
  const isChecked = client.authorizeUrl !== null || sealed !== undefined;
  const signIn = isChecked ? startedSignIn(client, event, sealed ?? "") : null;
  if (isChecked && signIn === null) {
    logRefusal("Sign-in failed", "it was not started in this browser, is over, or used", event);
    return textResponse(400, "Sign-in failed");
  }
  try {
    const granted = await exchangeCode(client, code, signIn?.verifier ?? null);
    return handOver(client, event, granted);
  } catch (failure) {
    logRefusal("Sign-in failed", failure instanceof Error ? failure.message : failure, event);
    return textResponse(502, "Sign-in failed");
  }
}

function startedSignIn(client: OAuthClient, event: RequestEvent, sealed: string) {
  const state = queryValue(event, "state") ?? "";
  const nowMs = Date.now();
  const signIn = openSignIn(sealed, client.clientSecret, state, nowMs);
  return signIn !== null && useOnce(signIn, nowMs) ? signIn : null;
}

/** The error code of a provider is one of a few words; anything else is someone's text. */
function errorCode(error: string): string {
  return /^[\w.-]{1,64}$/.test(error) ? error : "an error code that is no word";
}

function handOver(client: OAuthClient, event: RequestEvent, granted: GrantedToken): HttpResponse {
  const { accessToken, expiresInSeconds } = granted;
  if (client.mode === "cookie") {
    if (!/^[\w.~+/=-]+$/.test(accessToken) || accessToken.length > COOKIE_TOKEN_CHARS_MAX) {
      throw new Error("The access token does not fit into a cookie");
    }
    const cookie = setCookie(event, "token", accessToken, expiresInSeconds);
    return { ...goTo(client.path), cookies: [cookie] };
  }
  const token = `token=${encodeURIComponent(accessToken)}`;
  if (client.mode === "fragment") return goTo(`${client.path}#${token}`);
  return goTo(`${client.path}${client.path.includes("?") ? "&" : "?"}${token}`);
}

/** The address may hold the token, so it is neither kept nor told to other hosts. */
function goTo(location: string): HttpResponse {
  return {
    statusCode: 302,
    body: "",
    headers: {
      Location: location,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    },
  };
}
