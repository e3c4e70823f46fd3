import { CognitoError } from "../cognito-error.ts";
import { openAccessToken } from "../tokens/open-access-token.ts";
import { userClaims } from "../tokens/token-claims.ts";
import { type HostedCall, type HostedReply, json } from "./hosted-call.ts";

/** `oauth2/userInfo`: what an access token with the scope `openid` may know of its user. */
export async function userInfo({ cognito, pool, request }: HostedCall): Promise<HostedReply> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) return refuse("invalid_request", "The access token is missing");
  try {
    const holder = await openAccessToken(cognito, token, "openid");
    if (holder.pool.id !== pool.id) return refuse("invalid_token", "Invalid Access Token");
    const { user, grant } = holder;
    const claims = Object.entries(userClaims(user, grant.scopes));
    // Unlike the id token, Cognito writes these truths as text.
    const texts = claims.map(([name, value]) => [name, String(value)]);
    return json(200, { ...Object.fromEntries(texts), username: user.username });
  } catch (error) {
    if (error instanceof CognitoError && error.status < 500)
      return refuse("invalid_token", error.message);
    throw error;
  }
}

function refuse(error: string, why: string): HostedReply {
  return json(
    401,
    { error, error_description: why },
    { "www-authenticate": `Bearer error="${error}", error_description="${why}"` },
  );
}
