import type { ResourceHandler } from "../../../engine/handler.ts";
import { LOCAL_TYPES, userPoolClientId } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/** What Cognito fixes when it makes a client. */
const FIXED: readonly string[] = ["pool", "generateSecret"];

/**
 * `local:user-pool-client`: inputs pool, callbackUrls, logoutUrls, generateSecret, authFlows,
 * scopes, accessTokenMinutes, idTokenMinutes, refreshTokenDays, hidesUserExistence; outputs id,
 * secret.
 */
export function userPoolClientHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.userPoolClient,
      data: false,
      naming: { maxLength: 128, lowerCase: false },
      replaces: (changedKeys, before) =>
        before === null ? [] : changedKeys.filter((key) => FIXED.includes(key)),
      stableOutputs: ["secret"],
      secretOutputs: ["secret"],
      predict: (physicalName) => ({ id: userPoolClientId(physicalName) }),
    },
    access,
  );
}
