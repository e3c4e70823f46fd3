import type { Row } from "../../sqlite/row.ts";
import type { Sqlite } from "../../sqlite/sqlite.ts";
import { CognitoError, userNotFound } from "../cognito-error.ts";
import type { UserPool } from "../pools/user-pool.ts";
import { textMapColumn } from "../stored-json.ts";
import { loginsOf } from "./logins-of.ts";
import { type StoredPassword, USER_STATUSES, type User, type UserStatus } from "./user.ts";

/** Tables with rows of one user besides `users`; `members` among them. */
const OF_ONE_USER = [
  "logins",
  "members",
  "codes",
  "grants",
  "authorizations",
  "browser_sessions",
] as const;

/** The users of all pools of one stage. Writing methods run inside a commit. */
export class UserTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  get(pool: string, username: string): User | null {
    const row = this.#database.get("SELECT * FROM users WHERE pool = ? AND username = ?", [
      pool,
      username,
    ]);
    return row === null ? null : userIn(row);
  }

  /** By username, or by what the pool lets people sign in with. Case makes no difference. */
  find(pool: string, login: string): User | null {
    const lower = login.toLowerCase();
    const row = this.#database.get("SELECT username FROM logins WHERE pool = ? AND login = ?", [
      pool,
      lower,
    ]);
    return this.get(pool, row?.text("username") ?? lower);
  }

  /** @throws CognitoError `UserNotFoundException` */
  require(pool: string, login: string): User {
    const user = this.find(pool, login);
    if (user === null) throw userNotFound();
    return user;
  }

  /** Users behind a username, in order. */
  page(pool: string, after: string, limit: number): readonly User[] {
    return this.#database
      .all("SELECT * FROM users WHERE pool = ? AND username > ? ORDER BY username LIMIT ?", [
        pool,
        after,
        limit,
      ])
      .map(userIn);
  }

  count(pool: string): number {
    const sql = "SELECT count(*) AS users FROM users WHERE pool = ?";
    return this.#database.get(sql, [pool])?.integer("users") ?? 0;
  }

  /** @throws CognitoError `UsernameExistsException` */
  add(pool: UserPool, user: User): void {
    if (this.find(pool.id, user.username) !== null) throw usernameExists();
    this.#write(pool, user);
  }

  /**
   * @throws CognitoError `UsernameExistsException`, `AliasExistsException` when somebody else signs
   * in with what the user would
   */
  change(pool: UserPool, user: User): void {
    this.#write(pool, user);
  }

  delete(user: User): void {
    const key = [user.pool, user.username];
    for (const table of OF_ONE_USER)
      this.#database.run(`DELETE FROM ${table} WHERE pool = ? AND username = ?`, key);
    this.#database.run("DELETE FROM users WHERE pool = ? AND username = ?", key);
  }

  #write(pool: UserPool, user: User): void {
    this.#claimLogins(pool, user);
    this.#database.run(
      `INSERT OR REPLACE INTO users(pool, username, status, enabled, attributes, password_hash,
         srp_salt, srp_verifier, temporary_until_ms, created_ms, modified_ms)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        user.pool,
        user.username,
        user.status,
        user.enabled ? 1 : 0,
        JSON.stringify(user.attributes),
        user.password?.hash ?? null,
        user.password?.srpSalt ?? null,
        user.password?.srpVerifier ?? null,
        user.temporaryUntilMs,
        user.createdMs,
        user.modifiedMs,
      ],
    );
  }

  #claimLogins(pool: UserPool, user: User): void {
    const key = [user.pool, user.username];
    this.#database.run("DELETE FROM logins WHERE pool = ? AND username = ?", key);
    for (const { login, attribute } of loginsOf(pool, user)) {
      const owner = this.find(pool.id, login);
      if (owner !== null && owner.username !== user.username) throw loginTaken(pool, attribute);
      this.#database.run("INSERT OR REPLACE INTO logins(pool, login, username) VALUES(?, ?, ?)", [
        user.pool,
        login,
        user.username,
      ]);
    }
  }
}

function usernameExists(message = "User already exists"): CognitoError {
  return new CognitoError("UsernameExistsException", message);
}

function loginTaken(pool: UserPool, attribute: string): CognitoError {
  const what = attribute.replace("_", " ");
  const message = `An account with the given ${what} already exists.`;
  return pool.usernameAttributes.length > 0
    ? usernameExists(message)
    : new CognitoError("AliasExistsException", message);
}

function userIn(row: Row): User {
  return {
    pool: row.text("pool"),
    username: row.text("username"),
    status: statusIn(row),
    enabled: row.integer("enabled") === 1,
    attributes: textMapColumn(row, "attributes"),
    password: passwordIn(row),
    temporaryUntilMs: row.integer("temporary_until_ms"),
    createdMs: row.integer("created_ms"),
    modifiedMs: row.integer("modified_ms"),
  };
}

function statusIn(row: Row): UserStatus {
  const text = row.text("status");
  const status = USER_STATUSES.find((known) => known === text);
  if (status === undefined) throw new Error(`a user has the status ${text}`);
  return status;
}

function passwordIn(row: Row): StoredPassword | null {
  const hash = row.textOrNull("password_hash");
  if (hash === null) return null;
  return { hash, srpSalt: row.text("srp_salt"), srpVerifier: row.text("srp_verifier") };
}
