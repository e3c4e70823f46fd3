import type { Sqlite } from "../sqlite/sqlite.ts";

/** An item or index entry as DynamoDB's JSON writes it: attribute name to typed value. */
export type Item = Readonly<Record<string, unknown>>;

/** Which rows, in which order. The bounds are dynalite's. */
export interface RowRange {
  readonly gt?: string;
  readonly gte?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
}

/** Rows are read in batches, so that a reader that stops early has not read a whole table. */
const BATCH_ROWS = 200;

/** Items and index entries of one stage's tables. Writing methods run inside a commit. */
export class RowStore {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /**
   * The number of a table's items (`index` empty) or of one of its indexes; null when there is
   * none. Not remembered: a commit that is rolled back takes its numbers with it.
   */
  space(table: string, index: string): number | null {
    const row = this.#database.get(
      "SELECT id FROM spaces WHERE table_name = ? AND index_name = ?",
      [table, index],
    );
    return row === null ? null : row.integer("id");
  }

  createSpace(table: string, index: string): void {
    this.#database.run("INSERT OR IGNORE INTO spaces(table_name, index_name) VALUES(?, ?)", [
      table,
      index,
    ]);
  }

  /** Drops the rows of a table's items or of one of its indexes. */
  deleteSpace(table: string, index: string): void {
    const id = this.space(table, index);
    if (id === null) return;
    this.#database.run("DELETE FROM rows WHERE space = ?", [id]);
    this.#database.run("DELETE FROM spaces WHERE id = ?", [id]);
  }

  indexesOf(table: string): readonly string[] {
    return this.#database
      .all("SELECT index_name FROM spaces WHERE table_name = ? AND index_name <> ''", [table])
      .map((row) => row.text("index_name"));
  }

  count(space: number): number {
    const row = this.#database.get("SELECT count(*) AS count FROM rows WHERE space = ?", [space]);
    return row?.integer("count") ?? 0;
  }

  get(space: number, key: string): Item | null {
    const row = this.#database.get("SELECT value FROM rows WHERE space = ? AND key = ?", [
      space,
      key,
    ]);
    return row === null ? null : parseItem(row.json("value"));
  }

  put(space: number, key: string, item: object): void {
    this.#database.run("INSERT OR REPLACE INTO rows(space, key, value) VALUES(?, ?, ?)", [
      space,
      key,
      JSON.stringify(item),
    ]);
  }

  delete(space: number, key: string): void {
    this.#database.run("DELETE FROM rows WHERE space = ? AND key = ?", [space, key]);
  }

  *scan(space: number, range: RowRange): Generator<Item> {
    let bounds = boundsOf(range);
    for (;;) {
      const rows = this.#database.all(
        `SELECT key, value FROM rows
         WHERE space = ? AND key ${bounds.lowerIsOpen ? ">" : ">="} ?
           AND key ${bounds.upperIsOpen ? "<" : "<="} ?
         ORDER BY key ${range.reverse === true ? "DESC" : "ASC"} LIMIT ?`,
        [space, bounds.lower, bounds.upper, BATCH_ROWS],
      );
      for (const row of rows) yield parseItem(row.json("value"));
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH_ROWS) return;
      bounds =
        range.reverse === true
          ? { ...bounds, upper: last.text("key"), upperIsOpen: true }
          : { ...bounds, lower: last.text("key"), lowerIsOpen: true };
    }
  }
}

interface Bounds {
  readonly lower: string;
  readonly lowerIsOpen: boolean;
  readonly upper: string;
  readonly upperIsOpen: boolean;
}

/** No key sorts after this one. */
const LAST_KEY = "\x7f";

function boundsOf(range: RowRange): Bounds {
  return {
    lower: range.gte ?? range.gt ?? "",
    lowerIsOpen: range.gte === undefined && range.gt !== undefined,
    upper: range.lte ?? range.lt ?? LAST_KEY,
    upperIsOpen: range.lte === undefined,
  };
}

function parseItem(value: unknown): Item {
  if (!isItem(value)) throw new Error("a row is not an item");
  return value;
}

/** Whether a JSON value is an object. */
export function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
