import { Resource } from "scrim";
import { auth } from "scrim/auth";
import { AuthAdapter } from "scrim/auth/adapter";

const users = AuthAdapter.cognito({
  userPoolId: Resource.Users.id,
  clientId: Resource.Users.clientIds,
});

/** Lets in whoever has a token of the app's own user pool. */
export const handler = auth.authorizer(async (event) => ({ user: await users.verify(event) }));
