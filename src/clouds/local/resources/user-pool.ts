import type { ResourceHandler } from "../../../engine/handler.ts";
import { LOCAL_TYPES, userPoolOutputs } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/** What Cognito fixes when it makes a pool; a change would need another pool, without its users. */
const FIXED: readonly string[] = ["usernameAttributes", "aliasAttributes"];

/**
 * `local:user-pool`: inputs name, usernameAttributes, aliasAttributes, passwordPolicy, selfSignUp,
 * hostedLogin; outputs id, arn, issuer, endpoint, domain. Deleting it deletes its users.
 */
export function userPoolHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.userPool,
      data: true,
      naming: { maxLength: 128, lowerCase: false },
      replaces: (changedKeys, before) =>
        before === null ? [] : changedKeys.filter((key) => FIXED.includes(key)),
      predict: userPoolOutputs,
    },
    access,
  );
}
