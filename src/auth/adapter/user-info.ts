import { fetchText } from "../http/fetch-text.ts";
import { memberOf } from "../http/request-event.ts";
import type { Claims } from "../verify/claims.ts";
import { type EmailFacts, emailUnavailable } from "./email-claim.ts";

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 64 * 1024;

/**
 * What OpenID Connect's userInfo endpoint says about a token's user (OpenID Connect Core 1.0, section 5.3).
 *
 * @throws InvalidToken EMAIL_UNAVAILABLE when the endpoint refuses the token, or answers for someone else
 * @throws Error when it cannot be asked
 */
export async function askUserInfo(url: URL, token: string, claims: Claims): Promise<EmailFacts> {
  const { status, text } = await fetchText({
    url,
    method: "GET",
    headers: { authorization: `Bearer ${token}` },
    bytesMax: BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
  });
  const answer = readAnswer("userInfo", status, text);
  requireSubject("userInfo", memberOf(answer, "sub"), claims);
  return { email: memberOf(answer, "email"), verified: memberOf(answer, "email_verified") };
}

/**
 * What Cognito's GetUser says about an access token's user.
 *
 * @throws InvalidToken EMAIL_UNAVAILABLE when Cognito refuses the token, or answers for someone else
 * @throws Error when it cannot be asked
 */
export async function askGetUser(url: URL, token: string, claims: Claims): Promise<EmailFacts> {
  const { status, text } = await fetchText({
    url,
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "AWSCognitoIdentityProviderService.GetUser",
    },
    body: JSON.stringify({ AccessToken: token }),
    bytesMax: BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
  });
  // Cognito says with status 400 what others say with 429.
  if (status === 400 && /TooManyRequestsException/.test(text)) {
    throw new Error("GetUser was asked too often");
  }
  const attributes = memberOf(readAnswer("GetUser", status, text), "UserAttributes");
  requireSubject("GetUser", attributeOf(attributes, "sub"), claims);
  return {
    email: attributeOf(attributes, "email"),
    verified: attributeOf(attributes, "email_verified"),
  };
}

function readAnswer(what: string, status: number, text: string): unknown {
  if (status >= 400 && status < 500 && status !== 429) {
    throw emailUnavailable(`${what} refused the token with status ${status}`);
  }
  if (status !== 200) throw new Error(`${what} answered with status ${status}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${what} did not answer with JSON`);
  }
}

function requireSubject(what: string, subject: unknown, claims: Claims): void {
  if (subject !== claims.sub) throw emailUnavailable(`${what} answered for another user`);
}

function attributeOf(attributes: unknown, name: string): unknown {
  if (!Array.isArray(attributes)) return undefined;
  const attribute: unknown = attributes.find((item) => memberOf(item, "Name") === name);
  return memberOf(attribute, "Value");
}
