import type { Sqlite } from "../../sqlite/sqlite.ts";
import { hashToken } from "../tokens/grant-table.ts";

/** Somebody who is signed in on the hosted pages and need not sign in again for another client. */
export interface BrowserSession {
  readonly pool: string;
  readonly username: string;
  readonly authMs: number;
}

/** As long as Cognito keeps its cookie. */
export const BROWSER_SESSION_MS = 3_600_000;

/** Sessions of the hosted pages, by the token in a cookie. Writing methods run inside a commit. */
export class BrowserSessionTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Also forgets sessions that have expired. */
  add(token: string, session: BrowserSession, nowMs: number): void {
    this.#database.run("DELETE FROM browser_sessions WHERE expires_ms < ?", [nowMs]);
    this.#database.run(
      `INSERT INTO browser_sessions(token_hash, pool, username, auth_ms, expires_ms)
       VALUES(?, ?, ?, ?, ?)`,
      [
        hashToken(token),
        session.pool,
        session.username,
        session.authMs,
        nowMs + BROWSER_SESSION_MS,
      ],
    );
  }

  find(pool: string, token: string, nowMs: number): BrowserSession | null {
    const row = this.#database.get(
      "SELECT * FROM browser_sessions WHERE token_hash = ? AND pool = ? AND expires_ms > ?",
      [hashToken(token), pool, nowMs],
    );
    if (row === null) return null;
    return {
      pool: row.text("pool"),
      username: row.text("username"),
      authMs: row.integer("auth_ms"),
    };
  }

  delete(token: string): void {
    this.#database.run("DELETE FROM browser_sessions WHERE token_hash = ?", [hashToken(token)]);
  }
}
