import type { Row } from "../../sqlite/row.ts";
import type { Sqlite } from "../../sqlite/sqlite.ts";
import { CognitoError, resourceNotFound } from "../cognito-error.ts";

export interface Group {
  readonly pool: string;
  readonly name: string;
  readonly description: string;
  /** The lower, the more it counts; null counts least. */
  readonly precedence: number | null;
  readonly roleArn: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** Stands for no precedence in the database, behind all others. */
const NO_PRECEDENCE = 2 ** 31;

/** The groups of all pools of one stage and who is in them. Writing methods run inside a commit. */
export class GroupTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  find(pool: string, name: string): Group | null {
    const row = this.#database.get("SELECT * FROM groups WHERE pool = ? AND name = ?", [
      pool,
      name,
    ]);
    return row === null ? null : groupIn(row);
  }

  /** @throws CognitoError `ResourceNotFoundException` */
  require(pool: string, name: string): Group {
    const group = this.find(pool, name);
    if (group === null) throw resourceNotFound("Group not found.");
    return group;
  }

  of(pool: string): readonly Group[] {
    return this.#database
      .all("SELECT * FROM groups WHERE pool = ? ORDER BY name", [pool])
      .map(groupIn);
  }

  /** The groups that a user is in, the one that counts most first. */
  ofUser(pool: string, username: string): readonly Group[] {
    return this.#database
      .all(
        `SELECT groups.* FROM groups
         JOIN members ON members.pool = groups.pool AND members.group_name = groups.name
         WHERE members.pool = ? AND members.username = ?
         ORDER BY groups.precedence, groups.name`,
        [pool, username],
      )
      .map(groupIn);
  }

  /** @throws CognitoError `GroupExistsException` */
  add(group: Group): void {
    if (this.find(group.pool, group.name) !== null)
      throw new CognitoError("GroupExistsException", "A group with the name already exists.");
    this.save(group);
  }

  save(group: Group): void {
    this.#database.run(
      `INSERT OR REPLACE INTO groups(pool, name, description, precedence, role_arn, created_ms,
         modified_ms)
       VALUES(?, ?, ?, ?, ?, ?, ?)`,
      [
        group.pool,
        group.name,
        group.description,
        group.precedence ?? NO_PRECEDENCE,
        group.roleArn,
        group.createdMs,
        group.modifiedMs,
      ],
    );
  }

  delete(pool: string, name: string): void {
    this.#database.run("DELETE FROM members WHERE pool = ? AND group_name = ?", [pool, name]);
    this.#database.run("DELETE FROM groups WHERE pool = ? AND name = ?", [pool, name]);
  }

  /** No error when the user is in it already. */
  addMember(pool: string, name: string, username: string): void {
    this.#database.run(
      "INSERT OR REPLACE INTO members(pool, group_name, username) VALUES(?, ?, ?)",
      [pool, name, username],
    );
  }

  removeMember(pool: string, name: string, username: string): void {
    this.#database.run("DELETE FROM members WHERE pool = ? AND group_name = ? AND username = ?", [
      pool,
      name,
      username,
    ]);
  }

  /** Names of users behind one, in order. */
  members(pool: string, name: string, after: string, limit: number): readonly string[] {
    return this.#database
      .all(
        `SELECT username FROM members WHERE pool = ? AND group_name = ? AND username > ?
         ORDER BY username LIMIT ?`,
        [pool, name, after, limit],
      )
      .map((row) => row.text("username"));
  }
}

function groupIn(row: Row): Group {
  const precedence = row.integer("precedence");
  return {
    pool: row.text("pool"),
    name: row.text("name"),
    description: row.text("description"),
    precedence: precedence === NO_PRECEDENCE ? null : precedence,
    roleArn: row.text("role_arn"),
    createdMs: row.integer("created_ms"),
    modifiedMs: row.integer("modified_ms"),
  };
}
