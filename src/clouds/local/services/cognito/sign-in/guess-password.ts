import type { Cognito } from "../cognito.ts";
import { notAuthorized, userNotFound } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { User } from "../users/user.ts";
import { assertMaySignIn } from "./assert-may-sign-in.ts";

/** The wrong password, and with `hidesUserExistence` also a user that does not exist. */
export function wrongPassword(): Error {
  return notAuthorized("Incorrect username or password.");
}

/**
 * Makes one guess at a user's password: not before the waiting time that earlier failures brought,
 * and one guess of a user at a time.
 *
 * @param login what the user signs in with
 * @param isRight whether the guess is right; asked for unknown users too, so that it takes as long
 * @throws CognitoError
 */
export async function guessPassword(
  cognito: Cognito,
  client: PoolClient,
  login: string,
  isRight: (user: User | null) => Promise<boolean>,
): Promise<User> {
  const { store } = cognito;
  const subject = store.users.find(client.pool, login)?.username ?? login;
  return await cognito.turns.take(`${client.pool} ${subject.toLowerCase()}`, async () => {
    store.attempts.check(client.pool, "password", subject, cognito.now());
    const user = store.users.find(client.pool, login);
    if (!(await isRight(user)) || user === null) {
      await store.commit(() =>
        store.attempts.fail(client.pool, "password", subject, cognito.now()),
      );
      throw user === null && !client.hidesUserExistence ? userNotFound() : wrongPassword();
    }
    if (store.attempts.has(client.pool, "password", subject))
      await store.commit(() => store.attempts.clear(client.pool, "password", subject));
    assertMaySignIn(user, cognito.now());
    return user;
  });
}

/** {@link guessPassword} with the password itself. */
export async function signInWithPassword(
  cognito: Cognito,
  client: PoolClient,
  login: string,
  password: string,
): Promise<User> {
  return await guessPassword(cognito, client, login, (user) =>
    cognito.passwords.matches(password, user?.password ?? null),
  );
}
