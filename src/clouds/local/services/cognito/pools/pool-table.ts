import type { JsonObject } from "../../../../../model/json.ts";
import type { Row } from "../../sqlite/row.ts";
import type { Sqlite } from "../../sqlite/sqlite.ts";
import { poolNotFound } from "../cognito-error.ts";
import { jsonColumn } from "../stored-json.ts";
import { parseUserPool, type UserPool } from "./user-pool.ts";

/** Tables with rows of one pool; deleting the pool empties them of it. */
const OF_ONE_POOL = [
  "clients",
  "users",
  "logins",
  "groups",
  "members",
  "codes",
  "grants",
  "authorizations",
  "browser_sessions",
  "attempts",
] as const;

/** The user pools of one stage. Writing methods run inside a commit. */
export class PoolTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  find(id: string): UserPool | null {
    const row = this.#database.get("SELECT * FROM pools WHERE id = ?", [id]);
    return row === null ? null : poolIn(row);
  }

  /** @throws CognitoError `ResourceNotFoundException` */
  require(id: string): UserPool {
    const pool = this.find(id);
    if (pool === null) throw poolNotFound(id);
    return pool;
  }

  all(): readonly UserPool[] {
    return this.#database.all("SELECT * FROM pools ORDER BY name").map(poolIn);
  }

  /** Makes the pool or changes its settings; users and creation time stay. */
  save(id: string, name: string, spec: JsonObject, nowMs: number): UserPool {
    const pool = parseUserPool({ id, name, createdMs: nowMs, modifiedMs: nowMs }, spec);
    this.#database.run(
      `INSERT INTO pools(id, name, spec, created_ms, modified_ms) VALUES(?, ?, ?, ?, ?)
       ON CONFLICT(id) DO UPDATE SET spec = excluded.spec, modified_ms = excluded.modified_ms`,
      [id, name, JSON.stringify(spec), nowMs, nowMs],
    );
    return pool;
  }

  /** Deletes the pool with everything in it. */
  delete(id: string): void {
    for (const table of OF_ONE_POOL)
      this.#database.run(`DELETE FROM ${table} WHERE pool = ?`, [id]);
    this.#database.run("DELETE FROM pools WHERE id = ?", [id]);
  }
}

function poolIn(row: Row): UserPool {
  const identity = {
    id: row.text("id"),
    name: row.text("name"),
    createdMs: row.integer("created_ms"),
    modifiedMs: row.integer("modified_ms"),
  };
  return parseUserPool(identity, jsonColumn(row, "spec"));
}
