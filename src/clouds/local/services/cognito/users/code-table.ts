import { randomInt } from "node:crypto";
import type { Sqlite } from "../../sqlite/sqlite.ts";

/** What a code proves: that somebody signed up, forgot a password, or reads mail or messages. */
export type CodePurpose = "sign-up" | "reset" | "verify-email" | "verify-phone_number";

const HOUR_MS = 3_600_000;
/** docs.aws.amazon.com/cognito/latest/developerguide/quotas.html, "Validity period of ... code". */
const LIFETIME_MS: Readonly<Record<CodePurpose, number>> = {
  "sign-up": 24 * HOUR_MS,
  reset: HOUR_MS,
  "verify-email": 24 * HOUR_MS,
  "verify-phone_number": 24 * HOUR_MS,
};

/**
 * The codes that are out, one for each user and purpose. They stand in clear, as they do in the log
 * that takes the place of mail. Writing methods run inside a commit.
 */
export class CodeTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Makes a code of six digits; an earlier one for the same is worth nothing any more. */
  make(pool: string, username: string, purpose: CodePurpose, nowMs: number): string {
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    this.#database.run(
      `INSERT OR REPLACE INTO codes(pool, username, purpose, code, expires_ms)
       VALUES(?, ?, ?, ?, ?)`,
      [pool, username, purpose, code, nowMs + LIFETIME_MS[purpose]],
    );
    return code;
  }

  /** Null when none is out or it has expired. */
  find(pool: string, username: string, purpose: CodePurpose, nowMs: number): string | null {
    const row = this.#database.get(
      "SELECT code, expires_ms FROM codes WHERE pool = ? AND username = ? AND purpose = ?",
      [pool, username, purpose],
    );
    return row !== null && row.integer("expires_ms") > nowMs ? row.text("code") : null;
  }

  delete(pool: string, username: string, purpose: CodePurpose): void {
    this.#database.run("DELETE FROM codes WHERE pool = ? AND username = ? AND purpose = ?", [
      pool,
      username,
      purpose,
    ]);
  }
}
