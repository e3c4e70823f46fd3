import type { Row } from "../../sqlite/row.ts";
import type { Sqlite } from "../../sqlite/sqlite.ts";
import { hashToken } from "../tokens/grant-table.ts";

/** What a code of the hosted login stands for until it is exchanged for tokens. */
export interface Authorization {
  readonly pool: string;
  readonly client: string;
  readonly username: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  /** The S256 challenge of PKCE, or null when the client sent none. */
  readonly challenge: string | null;
  readonly authMs: number;
  readonly expiresMs: number;
  /** What it was exchanged for; null as long as it was not. */
  readonly grant: string | null;
}

/** Codes of the hosted login. Writing methods run inside a commit. */
export class AuthorizationTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Also forgets codes that have expired. */
  add(code: string, authorization: Authorization, nowMs: number): void {
    this.#database.run("DELETE FROM authorizations WHERE expires_ms < ?", [nowMs]);
    this.#database.run(
      `INSERT INTO authorizations(code_hash, pool, client, username, redirect_uri, scopes, nonce,
         challenge, auth_ms, expires_ms, grant_id)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        hashToken(code),
        authorization.pool,
        authorization.client,
        authorization.username,
        authorization.redirectUri,
        authorization.scopes.join(" "),
        authorization.nonce,
        authorization.challenge,
        authorization.authMs,
        authorization.expiresMs,
        authorization.grant,
      ],
    );
  }

  find(code: string): Authorization | null {
    const row = this.#database.get("SELECT * FROM authorizations WHERE code_hash = ?", [
      hashToken(code),
    ]);
    return row === null ? null : authorizationIn(row);
  }

  /** Marks a code as used. */
  use(code: string, grant: string): void {
    this.#database.run("UPDATE authorizations SET grant_id = ? WHERE code_hash = ?", [
      grant,
      hashToken(code),
    ]);
  }
}

function authorizationIn(row: Row): Authorization {
  return {
    pool: row.text("pool"),
    client: row.text("client"),
    username: row.text("username"),
    redirectUri: row.text("redirect_uri"),
    scopes: row.text("scopes").split(" "),
    nonce: row.textOrNull("nonce"),
    challenge: row.textOrNull("challenge"),
    authMs: row.integer("auth_ms"),
    expiresMs: row.integer("expires_ms"),
    grant: row.textOrNull("grant_id"),
  };
}
