import { CognitoError, notAuthorized } from "../cognito-error.ts";
import type { User } from "../users/user.ts";

/**
 * What may keep somebody out who has shown the right password. It is told only then, so that nobody
 * else learns of it. @throws CognitoError
 */
export function assertMaySignIn(user: User, nowMs: number): void {
  if (!user.enabled) throw notAuthorized("User is disabled.");
  switch (user.status) {
    case "UNCONFIRMED":
      throw new CognitoError("UserNotConfirmedException", "User is not confirmed.");
    case "RESET_REQUIRED":
      throw new CognitoError(
        "PasswordResetRequiredException",
        "Password reset required for the user",
      );
    case "FORCE_CHANGE_PASSWORD":
      if (user.temporaryUntilMs > nowMs) return;
      throw notAuthorized("Temporary password has expired and must be reset by an administrator.");
    case "CONFIRMED":
      return;
  }
}
