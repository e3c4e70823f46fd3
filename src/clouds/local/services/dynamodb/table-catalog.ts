import { fail } from "../../../../model/diagnostic.ts";
import { canonicalJson, type Json } from "../../../../model/json.ts";
import type { Sqlite } from "../sqlite/sqlite.ts";
import { entriesFor } from "./index-entries.ts";
import type { RowStore } from "./row-store.ts";
import type { IndexDescription, TableDescription } from "./table-description.ts";

/** The tables of one stage. Writing methods run inside a commit. */
export class TableCatalog {
  readonly #database: Sqlite;
  readonly #rows: RowStore;

  constructor(database: Sqlite, rows: RowStore) {
    this.#database = database;
    this.#rows = rows;
  }

  find(name: string): TableDescription | null {
    const row = this.#database.get("SELECT description FROM tables WHERE name = ?", [name]);
    return row === null ? null : parseDescription(row.json("description"));
  }

  names(): readonly string[] {
    return this.#database
      .all("SELECT name FROM tables ORDER BY name")
      .map((row) => row.text("name"));
  }

  /**
   * Makes the table or brings its indexes to what is described; items stay, new indexes are filled.
   *
   * @throws DiagnosticError `TABLE_KEY_FIXED` when the primary key differs from the one it was made
   * with
   */
  save(description: TableDescription): void {
    const name = description.TableName;
    const before = this.find(name);
    if (before !== null) checkSameKey(before, description);
    this.#rows.createSpace(name, "");
    const known = new Map(indexesOf(before).map((index) => [index.IndexName, identityOf(index)]));
    const wanted = indexesOf(description);
    for (const index of this.#rows.indexesOf(name)) {
      const now = wanted.find(({ IndexName }) => IndexName === index);
      if (now === undefined || known.get(index) !== identityOf(now))
        this.#rows.deleteSpace(name, index);
    }
    const missing = wanted.filter(({ IndexName }) => this.#rows.space(name, IndexName) === null);
    for (const index of missing) this.#rows.createSpace(name, index.IndexName);
    this.#fill(description, missing);
    this.#database.run("INSERT OR REPLACE INTO tables(name, description) VALUES(?, ?)", [
      name,
      JSON.stringify(description),
    ]);
  }

  /** Deletes the table with its items; no error when there is none. */
  delete(name: string): void {
    for (const index of this.#rows.indexesOf(name)) this.#rows.deleteSpace(name, index);
    this.#rows.deleteSpace(name, "");
    this.#database.run("DELETE FROM tables WHERE name = ?", [name]);
  }

  #fill(description: TableDescription, indexes: readonly IndexDescription[]): void {
    const items = this.#rows.space(description.TableName, "");
    if (items === null || indexes.length === 0) return;
    for (const item of this.#rows.scan(items, {}))
      for (const entry of entriesFor(description, indexes, item)) {
        const space = this.#rows.space(description.TableName, entry.index);
        if (space !== null) this.#rows.put(space, entry.key, entry.item);
      }
  }
}

export function indexesOf(description: TableDescription | null): readonly IndexDescription[] {
  return [
    ...(description?.GlobalSecondaryIndexes ?? []),
    ...(description?.LocalSecondaryIndexes ?? []),
  ];
}

/** What an index holds; another one of the same name has to be filled anew. */
function identityOf(index: IndexDescription): string {
  return JSON.stringify([index.KeySchema, index.Projection]);
}

function checkSameKey(before: TableDescription, after: TableDescription): void {
  if (canonicalJson(keyOf(before)) === canonicalJson(keyOf(after))) return;
  throw fail("TABLE_KEY_FIXED", `The primary key of the table ${after.TableName} cannot change`, {
    why: "DynamoDB fixes a table's primary key when the table is made.",
    hint: "Give the table another name to start with an empty one.",
  });
}

function keyOf(description: TableDescription): Json {
  return description.KeySchema.map(({ AttributeName, KeyType }) => {
    const definition = description.AttributeDefinitions.find(
      (attribute) => attribute.AttributeName === AttributeName,
    );
    return [AttributeName, KeyType, definition?.AttributeType ?? ""];
  });
}

/** What {@link TableCatalog.save} wrote; only its own writing is ever read. */
function parseDescription(value: unknown): TableDescription {
  const isDescription =
    typeof value === "object" && value !== null && "TableName" in value && "KeySchema" in value;
  if (!isDescription) throw new Error("not the description of a table");
  return value as TableDescription;
}
