import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../model/json.ts";
import type { Row } from "../../sqlite/row.ts";
import type { Sqlite } from "../../sqlite/sqlite.ts";
import { clientNotFound } from "../cognito-error.ts";
import { jsonColumn } from "../stored-json.ts";
import { type PoolClient, parsePoolClient } from "./pool-client.ts";

/** The clients of all pools of one stage. Writing methods run inside a commit. */
export class ClientTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  find(id: string): PoolClient | null {
    const row = this.#database.get("SELECT * FROM clients WHERE id = ?", [id]);
    return row === null ? null : clientIn(row);
  }

  /** @throws CognitoError `ResourceNotFoundException` */
  require(id: string): PoolClient {
    const client = this.find(id);
    if (client === null) throw clientNotFound(id);
    return client;
  }

  of(pool: string): readonly PoolClient[] {
    return this.#database
      .all("SELECT * FROM clients WHERE pool = ? ORDER BY name", [pool])
      .map(clientIn);
  }

  names(): readonly string[] {
    return this.#database
      .all("SELECT name FROM clients ORDER BY name")
      .map((row) => row.text("name"));
  }

  /** Makes the client or changes its settings; a secret is made once and stays. */
  save(id: string, name: string, spec: JsonObject, nowMs: number): PoolClient {
    const secret = this.#secret(id, spec["generateSecret"] === true);
    const identity = { id, name, secret, createdMs: nowMs, modifiedMs: nowMs };
    const client = parsePoolClient(identity, spec);
    this.#database.run(
      `INSERT INTO clients(id, name, pool, spec, secret, created_ms, modified_ms)
       VALUES(?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT(id) DO UPDATE SET
         pool = excluded.pool, spec = excluded.spec, secret = excluded.secret,
         modified_ms = excluded.modified_ms`,
      [id, name, client.pool, JSON.stringify(spec), secret, nowMs, nowMs],
    );
    return client;
  }

  /** Deletes the client; what was signed in through it ends. */
  delete(name: string): void {
    const row = this.#database.get("SELECT id FROM clients WHERE name = ?", [name]);
    if (row === null) return;
    const id = row.text("id");
    this.#database.run("DELETE FROM grants WHERE client = ?", [id]);
    this.#database.run("DELETE FROM authorizations WHERE client = ?", [id]);
    this.#database.run("DELETE FROM clients WHERE id = ?", [id]);
  }

  #secret(id: string, isWanted: boolean): string | null {
    if (!isWanted) return null;
    return this.find(id)?.secret ?? randomSecret();
  }
}

/** Of 32 characters every five bits choose one, so that all are equally likely. */
const SECRET_CHARACTERS = "abcdefghijklmnopqrstuvwxyz012345";
/** As many as Cognito gives a secret: 255 bits. */
const SECRET_LENGTH = 51;

function randomSecret(): string {
  const bytes = [...randomBytes(SECRET_LENGTH)];
  return bytes.map((byte) => SECRET_CHARACTERS.charAt(byte & 31)).join("");
}

function clientIn(row: Row): PoolClient {
  const identity = {
    id: row.text("id"),
    name: row.text("name"),
    secret: row.textOrNull("secret"),
    createdMs: row.integer("created_ms"),
    modifiedMs: row.integer("modified_ms"),
  };
  return parsePoolClient(identity, jsonColumn(row, "spec"));
}
