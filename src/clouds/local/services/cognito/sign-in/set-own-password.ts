import type { Cognito } from "../cognito.ts";
import { notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { TextMap } from "../stored-json.ts";
import { changeAttributes } from "../users/attributes.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import type { User } from "../users/user.ts";
import { isUsernameOf } from "./is-username-of.ts";
import { takeChallenge } from "./take-challenge.ts";

/** What somebody answers who is asked for a password of their own. */
export interface OwnPassword {
  /** Whom the client says it is; null on the pages, where only the session says it. */
  readonly login: string | null;
  readonly password: string;
  readonly attributes: TextMap;
}

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
  { login, password, attributes }: OwnPassword,
): Promise<{ readonly user: User; readonly authMs: number }> {
  const { store } = cognito;
  const pool = store.pools.require(client.pool);
  checkPasswordPolicy(password, pool.passwordPolicy);
  const challenge = takeChallenge(cognito, client, session, "new-password");
  if (login !== null && !isUsernameOf(cognito, client, login, challenge.username))
    throw notAuthorized("Invalid session for the user.");
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
