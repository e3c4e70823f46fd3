import { createHash } from "node:crypto";
import type { Row } from "../../sqlite/row.ts";
import type { Sqlite } from "../../sqlite/sqlite.ts";

/** What one sign-in gave: its refresh token makes new tokens until it expires or is revoked. */
export interface Grant {
  /** `origin_jti` of all its tokens. */
  readonly id: string;
  readonly pool: string;
  readonly client: string;
  readonly username: string;
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  /** When the user signed in. */
  readonly authMs: number;
  readonly expiresMs: number;
  readonly revoked: boolean;
}

/** How a random token stands in the database. It has 256 bits, so a fast hash is safe. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The grants of all pools of one stage. Writing methods run inside a commit. */
export class GrantTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  find(id: string): Grant | null {
    const row = this.#database.get("SELECT * FROM grants WHERE id = ?", [id]);
    return row === null ? null : grantIn(row);
  }

  findByRefreshToken(token: string): Grant | null {
    const row = this.#database.get("SELECT * FROM grants WHERE refresh_hash = ?", [
      hashToken(token),
    ]);
    return row === null ? null : grantIn(row);
  }

  /** Also forgets grants that have expired. */
  add(grant: Grant, refreshToken: string, nowMs: number): void {
    this.#database.run("DELETE FROM grants WHERE expires_ms < ?", [nowMs]);
    this.#database.run(
      `INSERT INTO grants(id, pool, client, username, refresh_hash, scopes, nonce, auth_ms,
         expires_ms, revoked)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
      [
        grant.id,
        grant.pool,
        grant.client,
        grant.username,
        hashToken(refreshToken),
        grant.scopes.join(" "),
        grant.nonce,
        grant.authMs,
        grant.expiresMs,
      ],
    );
  }

  revoke(id: string): void {
    this.#database.run("UPDATE grants SET revoked = 1 WHERE id = ?", [id]);
  }

  /** Signs a user out everywhere, on the hosted pages too. */
  revokeAll(pool: string, username: string): void {
    const key = [pool, username];
    this.#database.run("UPDATE grants SET revoked = 1 WHERE pool = ? AND username = ?", key);
    this.#database.run("DELETE FROM authorizations WHERE pool = ? AND username = ?", key);
    this.#database.run("DELETE FROM browser_sessions WHERE pool = ? AND username = ?", key);
  }
}

function grantIn(row: Row): Grant {
  return {
    id: row.text("id"),
    pool: row.text("pool"),
    client: row.text("client"),
    username: row.text("username"),
    scopes: row.text("scopes").split(" "),
    nonce: row.textOrNull("nonce"),
    authMs: row.integer("auth_ms"),
    expiresMs: row.integer("expires_ms"),
    revoked: row.integer("revoked") === 1,
  };
}
