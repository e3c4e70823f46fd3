import { InvalidToken } from "../auth-error.ts";

/** Where an email address was found, and what is said about it. */
export interface EmailFacts {
  readonly email: unknown;
  /** Issuers say it as a boolean or, at some endpoints, as text. */
  readonly verified: unknown;
}

/**
 * The email address among facts about a user; null when there is none. An address that its issuer has not verified
 * may be anyone's, so it is refused unless it is allowed; where nothing is said about it, it is taken.
 *
 * @throws InvalidToken EMAIL_UNAVAILABLE
 */
export function emailOf({ email, verified }: EmailFacts, allowUnverified: boolean): string | null {
  if (email === undefined) return null;
  if (typeof email !== "string" || email === "") {
    throw emailUnavailable("The user's email is not text");
  }
  if (!allowUnverified && (verified === false || verified === "false")) {
    throw emailUnavailable(
      "The issuer has not verified the user's email; allowUnverifiedEmail: true takes it all the same",
    );
  }
  return email;
}

/** A refusal for the email address. */
export function emailUnavailable(message: string): InvalidToken {
  return new InvalidToken("EMAIL_UNAVAILABLE", message);
}
