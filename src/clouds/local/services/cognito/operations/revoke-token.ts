import { CognitoError, notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { equalTexts } from "../sign-in/check-secret-hash.ts";
import type { Operation } from "./operation.ts";

export const revokeToken: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const client = cognito.store.clients.require(input.text("ClientId"));
    checkSecret(client, input.textOrNull("ClientSecret"));
    const grant = cognito.store.grants.findByRefreshToken(input.text("Token"));
    // A token that means nothing is as good as revoked (RFC 7009, section 2.2).
    if (grant === null) return {};
    if (grant.client !== client.id)
      throw new CognitoError(
        "UnauthorizedException",
        "The refresh token was not issued to this client",
      );
    await cognito.store.commit(() => cognito.store.grants.revoke(grant.id));
    return {};
  },
};

function checkSecret(client: PoolClient, given: string | null): void {
  if (client.secret === null ? given === null : given !== null && equalTexts(given, client.secret))
    return;
  throw notAuthorized("Invalid client secret");
}
