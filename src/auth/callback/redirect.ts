import type { RequestEvent } from "../http/request-event.ts";
import type { HttpResponse } from "../http/response.ts";
import { setCookie } from "./cookies.ts";
import { type OAuthOptions, readOAuthOptions } from "./oauth-options.ts";
import { challengeOf, newSignIn, SIGN_IN_SECONDS, sealSignIn } from "./sign-in-state.ts";

/**
 * Makes a handler that sends the browser to the provider's sign-in page. A signed cookie remembers the sign-in for
 * ten minutes; the callback with the same options takes no other.
 *
 * @throws TypeError when `authorizeUrl` or `redirectUri` is missing, or an option cannot be meant
 * @example
 * import { auth } from "scrim/auth";
 *
 * const signIn = {
 *   authorizeUrl: "https://issuer.example/authorize",
 *   tokenUrl: "https://issuer.example/token",
 *   redirectUri: "https://notes.example/callback",
 *   clientId: "notes",
 *   clientSecret: process.env.CLIENT_SECRET ?? "",
 * };
 *
 * export const login = auth.redirect(signIn);
 * export const callback = auth.callback(signIn);
 */
export function redirect(options: OAuthOptions): (event?: RequestEvent) => Promise<HttpResponse> {
  const client = readOAuthOptions("auth.redirect()", options);
  const { authorizeUrl, redirectUri } = client;
  if (authorizeUrl === null || redirectUri === null) {
    throw new TypeError("auth.redirect() needs authorizeUrl and redirectUri");
  }
  return async (event) => {
    const signIn = newSignIn(Date.now());
    const url = new URL(authorizeUrl);
    const parameters = {
      response_type: "code",
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: client.scope,
      state: signIn.state,
      code_challenge: challengeOf(signIn.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const sealed = sealSignIn(signIn, client.clientSecret);
    return {
      statusCode: 302,
      body: "",
      headers: { Location: url.href, "Cache-Control": "no-store" },
      cookies: [setCookie(event, "sign-in", sealed, SIGN_IN_SECONDS)],
    };
  };
}
