import type { Sqlite } from "../../sqlite/sqlite.ts";
import { type CognitoError, limitExceeded, notAuthorized } from "../cognito-error.ts";

/** What can be guessed: a password, or a code that was sent. `send`: asking for codes. */
export type AttemptKind = "password" | "code" | "send";

/** Failures that cost nothing. */
const FREE: Readonly<Record<AttemptKind, number>> = { password: 5, code: 5, send: 20 };
/** The first waiting time, and the longest; it doubles with every failure. */
const WAIT_MS: Readonly<Record<AttemptKind, readonly [number, number]>> = {
  // docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow-methods.html
  password: [1_000, 15 * 60_000],
  code: [15 * 60_000, 60 * 60_000],
  send: [60 * 60_000, 60 * 60_000],
};
/** Failures are forgotten when none was added for so long. */
const FORGET_MS = 60 * 60_000;

/**
 * Failed attempts, also of users that do not exist, so that waiting tells nothing about who does.
 * Writing methods run inside a commit.
 */
export class AttemptTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** @throws CognitoError `NotAuthorizedException`, `LimitExceededException` while it must wait */
  check(pool: string, kind: AttemptKind, subject: string, nowMs: number): void {
    const found = this.#find(pool, kind, subject);
    if (found === null || found.failures < FREE[kind]) return;
    if (found.untilMs > nowMs) throw refusalFor(kind);
  }

  fail(pool: string, kind: AttemptKind, subject: string, nowMs: number): void {
    const before = this.#find(pool, kind, subject);
    const isForgotten = before === null || before.untilMs + FORGET_MS < nowMs;
    const failures = isForgotten ? 1 : before.failures + 1;
    this.#database.run("DELETE FROM attempts WHERE until_ms < ?", [nowMs - FORGET_MS]);
    this.#database.run(
      `INSERT OR REPLACE INTO attempts(pool, kind, subject, failures, until_ms)
       VALUES(?, ?, ?, ?, ?)`,
      [pool, kind, subject.toLowerCase(), failures, nowMs + waitMs(kind, failures)],
    );
  }

  clear(pool: string, kind: AttemptKind, subject: string): void {
    this.#database.run("DELETE FROM attempts WHERE pool = ? AND kind = ? AND subject = ?", [
      pool,
      kind,
      subject.toLowerCase(),
    ]);
  }

  has(pool: string, kind: AttemptKind, subject: string): boolean {
    return this.#find(pool, kind, subject) !== null;
  }

  #find(pool: string, kind: AttemptKind, subject: string) {
    const row = this.#database.get(
      "SELECT failures, until_ms FROM attempts WHERE pool = ? AND kind = ? AND subject = ?",
      [pool, kind, subject.toLowerCase()],
    );
    return row && { failures: row.integer("failures"), untilMs: row.integer("until_ms") };
  }
}

function waitMs(kind: AttemptKind, failures: number): number {
  const [first, most] = WAIT_MS[kind];
  const over = failures - FREE[kind];
  return over < 0 ? 0 : Math.min(first * 2 ** over, most);
}

function refusalFor(kind: AttemptKind): CognitoError {
  return kind === "password" ? notAuthorized("Password attempts exceeded") : limitExceeded();
}
