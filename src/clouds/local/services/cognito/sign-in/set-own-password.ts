import type { Cognito } from "../cognito.ts";
import { notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { TextMap } from "../stored-json.ts";
import { changeAttributes } from "../users/attributes.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import type { User } from "../users/user.ts";
import { takeChallenge } from "./take-challenge.ts";

/**
 * Answers the demand for a password of the user's own, which ends the temporary one. A password
 * that the policy refuses leaves the challenge open.
 *
 * @throws CognitoError `InvalidPasswordException`; `NotAuthorizedException` when the user has
 * changed since the temporary one was shown
 */
export async function setOwnPassword(
  cognito: Cognito,
  client: PoolClient,
  session: string,
  password: string,
  attributes: TextMap,
): Promise<{ readonly user: User; readonly authMs: number }> {
  const { store } = cognito;
  const pool = store.pools.require(client.pool);
  checkPasswordPolicy(password, pool.passwordPolicy);
  const challenge = takeChallenge(cognito, client, session, "new-password");
  const stored = await cognito.passwords.store(pool, challenge.username, password);
  const changed = await store.commit(() => {
    const user = store.users.get(pool.id, challenge.username);
    if (user === null || !user.enabled || user.password?.hash !== challenge.passwordHash)
      throw notAuthorized("Invalid session for the user.");
    const after: User = {
      ...user,
      status: "CONFIRMED",
      password: stored,
      temporaryUntilMs: 0,
      attributes: changeAttributes(user.attributes, attributes),
      modifiedMs: cognito.now(),
    };
    store.users.change(pool, after);
    return after;
  });
  return { user: changed, authMs: challenge.authMs };
}
