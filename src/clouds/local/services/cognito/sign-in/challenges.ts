import { randomBytes } from "node:crypto";
import type { SrpExchange } from "../srp/srp-server.ts";

/** A sign-in that waits for the client's next answer. */
export type Challenge = {
  readonly client: string;
  readonly username: string;
} & (
  | {
      readonly kind: "password-verifier";
      readonly exchange: SrpExchange;
      /** False for a user that does not exist: no answer is right, and finding out takes as long. */
      readonly isOfSomebody: boolean;
    }
  | {
      readonly kind: "new-password";
      /** The temporary password's hash; another one in its place ends the sign-in. */
      readonly passwordHash: string;
      readonly authMs: number;
    }
);

/** As long as Cognito waits by default. */
const LIFETIME_MS = 3 * 60_000;
/** Of more than that the oldest are forgotten. */
const COUNT_MAX = 10_000;
const TOKEN_BYTES = 48;

/**
 * Sign-ins under way, in memory: they live minutes, and a client whose sign-in was lost in a
 * restart starts again.
 */
export class Challenges {
  readonly #open = new Map<string, { readonly challenge: Challenge; readonly untilMs: number }>();

  /** Returns the token (Base64) that the client answers with. */
  open(challenge: Challenge, nowMs: number): string {
    for (const [token, { untilMs }] of this.#open) {
      if (untilMs > nowMs && this.#open.size < COUNT_MAX) break;
      this.#open.delete(token);
    }
    const token = randomBytes(TOKEN_BYTES).toString("base64");
    this.#open.set(token, { challenge, untilMs: nowMs + LIFETIME_MS });
    return token;
  }

  /** The challenge behind a token, which is worth nothing afterwards. */
  take(token: string, nowMs: number): Challenge | null {
    const found = this.#open.get(token);
    this.#open.delete(token);
    return found !== undefined && found.untilMs > nowMs ? found.challenge : null;
  }
}
