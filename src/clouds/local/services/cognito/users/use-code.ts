import type { Cognito } from "../cognito.ts";
import { codeMismatch, expiredCode } from "../cognito-error.ts";
import { equalTexts } from "../sign-in/check-secret-hash.ts";
import type { CodePurpose } from "./code-table.ts";
import type { User } from "./user.ts";

/**
 * Checks a code and, in the same commit, does what it allows. A right code is worth nothing
 * afterwards; five wrong ones bring a waiting time.
 *
 * @param subject whose guesses are counted: the username, or what was given for an unknown user
 * @throws CognitoError `CodeMismatchException`, `ExpiredCodeException`, `LimitExceededException`
 */
export async function useCode(
  cognito: Cognito,
  pool: string,
  subject: string,
  user: User | null,
  purpose: CodePurpose,
  given: string,
  work: (user: User) => void,
): Promise<void> {
  const { store } = cognito;
  // A wrong guess must be counted although its commit changes nothing else.
  const problem = await store.commit(() => {
    const nowMs = cognito.now();
    store.attempts.check(pool, "code", subject, nowMs);
    const current = user && store.users.get(pool, user.username);
    const code = current && store.codes.find(pool, current.username, purpose, nowMs);
    if (!current?.enabled || code === null || !equalTexts(code, given)) {
      store.attempts.fail(pool, "code", subject, nowMs);
      return problemOf(current, code, purpose);
    }
    work(current);
    store.codes.delete(pool, current.username, purpose);
    store.attempts.clear(pool, "code", subject);
    return null;
  });
  if (problem !== null) throw problem;
}

/**
 * Of a user that does not exist Cognito says that the code for a new password is another one, and
 * that every other code has expired (docs.aws.amazon.com/cognito/latest/developerguide/
 * cognito-user-pool-managing-errors.html).
 */
function problemOf(user: User | null, code: string | null, purpose: CodePurpose): Error {
  const isUnknown = user === null || !user.enabled;
  if (isUnknown) return purpose === "reset" ? codeMismatch() : expiredCode();
  return code === null ? expiredCode() : codeMismatch();
}
