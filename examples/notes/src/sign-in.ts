import { Resource } from "scrim";
import { auth } from "scrim/auth";

const signIn = {
  authorizeUrl: `${Resource.Users.domain}/oauth2/authorize`,
  tokenUrl: `${Resource.Users.domain}/oauth2/token`,
  redirectUri: `${Resource.Api.url}/callback`,
  clientId: Resource.Web.id,
  clientSecret: Resource.Web.secret,
  scope: "openid email aws.cognito.signin.user.admin",
  encoding: "form",
} as const;

/** GET /sign-in: to the hosted login */
export const start = auth.redirect(signIn);

/** GET /callback: from there to the dashboard */
export const finish = auth.callback(signIn);
