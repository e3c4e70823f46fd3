import { InvalidToken } from "../auth-error.ts";
import type { Claims } from "../verify/claims.ts";
import { emailUnavailable } from "./email-claim.ts";

/**
 * Looks an email address up once for each token, as long as the token is remembered. That there is none is
 * remembered too; that it could not be found out is not.
 */
export class RememberedEmails {
  readonly #found = new WeakMap<Claims, Promise<string>>();

  /** @throws InvalidToken of `lookUp`, or EMAIL_UNAVAILABLE for any other error of it */
  of(claims: Claims, lookUp: () => Promise<string>): Promise<string> {
    const found = this.#found.get(claims);
    if (found !== undefined) return found;
    const email = lookUp().catch((error: unknown) => {
      if (error instanceof InvalidToken) throw error;
      this.#found.delete(claims);
      throw emailUnavailable(error instanceof Error ? error.message : "unknown reason");
    });
    this.#found.set(claims, email);
    return email;
  }
}
