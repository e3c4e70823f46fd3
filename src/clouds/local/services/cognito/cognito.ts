import type { CognitoStore } from "./cognito-store.ts";
import type { UserPool } from "./pools/user-pool.ts";
import type { Challenges } from "./sign-in/challenges.ts";
import type { Turns } from "./sign-in/turns.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";
import type { PasswordHashing } from "./users/password-hashing.ts";

/** What the operations of one stage's user pools work with. */
export interface Cognito {
  readonly region: string;
  readonly account: string;
  readonly store: CognitoStore;
  readonly keys: SigningKeys;
  readonly passwords: PasswordHashing;
  /** Sign-ins that wait for an answer of the client. */
  readonly challenges: Challenges;
  /** Lets one guess at a time be made for each user. */
  readonly turns: Turns;
  /** `http://127.0.0.1:<port>`, where the pools answer. */
  endpoint(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Takes the place of mail: a line in the log of the stage, under the pool's name. */
  deliver(pool: UserPool, message: string): void;
}

/**
 * `https://cognito-idp.<region>.amazonaws.com/<pool id>`: who the tokens are from, here as on AWS.
 */
export function issuerOf(pool: UserPool): string {
  const region = pool.id.slice(0, pool.id.indexOf("_"));
  return `https://cognito-idp.${region}.amazonaws.com/${pool.id}`;
}
