import { fetchText } from "../http/fetch-text.ts";
import { memberOf } from "../http/request-event.ts";
import type { OAuthClient } from "./oauth-options.ts";

/** What the token endpoint gave for a code. */
export interface GrantedToken {
  readonly accessToken: string;
  /** Null when the endpoint does not say how long the token lives. */
  readonly expiresInSeconds: number | null;
}

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 64 * 1024;

/**
 * Exchanges a code for a token (RFC 6749, section 4.1.3).
 *
 * @param verifier of PKCE, for a sign-in that `auth.redirect` started
 * @throws Error with a reason that holds neither secret, code nor anything that the endpoint sent
 */
export async function exchangeCode(
  client: OAuthClient,
  code: string,
  verifier: string | null,
): Promise<GrantedToken> {
  const fields = fieldsOf(client, code, verifier);
  const isForm = client.encoding === "form";
  const { status, text } = await fetchText({
    url: client.tokenUrl,
    method: "POST",
    headers: {
      "Content-Type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    },
    body: isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
    bytesMax: BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
  });
  if (status !== 200) throw new Error(`The token endpoint answered with status ${status}`);
  return readGrant(text);
}

function fieldsOf(
  client: OAuthClient,
  code: string,
  verifier: string | null,
): Record<string, string> {
  const { clientId, clientSecret, redirectUri } = client;
  const namesUri = redirectUri !== null && (client.encoding === "form" || verifier !== null);
  return {
    code,
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: "authorization_code",
    ...(namesUri && { redirect_uri: redirectUri }),
    ...(verifier !== null && { code_verifier: verifier }),
  };
}

function readGrant(text: string): GrantedToken {
  const answer = parse(text);
  const accessToken = memberOf(answer, "access_token");
  const expiresIn = memberOf(answer, "expires_in");
  if (typeof accessToken !== "string" || accessToken === "") {
    throw new Error("The token endpoint gave no access_token");
  }
  const isSpan = typeof expiresIn === "number" && Number.isInteger(expiresIn) && expiresIn > 0;
  return { accessToken, expiresInSeconds: isSpan ? expiresIn : null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The token endpoint did not answer with JSON");
  }
}
