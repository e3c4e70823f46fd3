import type { TextMap } from "../stored-json.ts";

/** docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserType.html */
export const USER_STATUSES = [
  "UNCONFIRMED",
  "CONFIRMED",
  "FORCE_CHANGE_PASSWORD",
  "RESET_REQUIRED",
] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export interface StoredPassword {
  /** scrypt, with its parameters and salt. */
  readonly hash: string;
  /** Hex; what the secure remote password protocol needs. */
  readonly srpSalt: string;
  /** Hex. */
  readonly srpVerifier: string;
}

export interface User {
  /** Id of the pool. */
  readonly pool: string;
  /** Lower case; a made-up UUID in pools whose users sign in with an email or phone number. */
  readonly username: string;
  readonly status: UserStatus;
  readonly enabled: boolean;
  /** With `sub`; verified flags are `"true"` or `"false"`. */
  readonly attributes: TextMap;
  readonly password: StoredPassword | null;
  /** When a temporary password ends, milliseconds since the epoch; 0 when it is none. */
  readonly temporaryUntilMs: number;
  readonly createdMs: number;
  readonly modifiedMs: number;
}
