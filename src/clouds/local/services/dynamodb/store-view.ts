import db from "dynalite/db/index.js";
import { DynamodbError } from "./dynamodb-error.ts";
import { uniqueIndexKey } from "./index-entries.ts";
import type { Item, RowRange, RowStore } from "./row-store.ts";
import { RowStream } from "./row-stream.ts";
import { indexesOf, type TableCatalog } from "./table-catalog.ts";
import type { TableDescription } from "./table-description.ts";

type Callback = (error?: unknown, value?: unknown) => void;

/**
 * What dynalite's validators and actions ask a store for. An item may have 400 KB, as in DynamoDB.
 */
export const STORE_OPTIONS = { maxItemSize: 409_600 };

/** Where a page of an index begins: behind this entry. */
export interface IndexPage {
  readonly table: TableDescription;
  readonly index: string;
  readonly startKey: Item;
}

/**
 * dynalite's store for one request, on SQLite instead of LevelDB. Every call answers before it
 * returns: an action that writes is then one synchronous piece of work and fits in a commit, item
 * and index entries together.
 */
export class StoreView {
  readonly options = STORE_OPTIONS;
  readonly #tables: TableCatalog;
  readonly #rows: RowStore;
  readonly #page: IndexPage | null;
  readonly #streams: RowStream[] = [];
  #itemKey = "";
  #lastRead: Item | null = null;

  constructor(tables: TableCatalog, rows: RowStore, page: IndexPage | null) {
    this.#tables = tables;
    this.#rows = rows;
    this.#page = page;
  }

  /** The item that the action read last, for answers about a condition that did not hold. */
  get lastRead(): Item | null {
    return this.#lastRead;
  }

  /** Sends the rows that the action has asked for since the last call. */
  pump(): void {
    for (const stream of this.#streams.splice(0)) stream.pump();
  }

  /** As dynalite calls it: with or without a flag in the middle. */
  getTable(name: string, flag: boolean | Callback, callback?: Callback): void {
    const answer = callback ?? (typeof flag === "function" ? flag : () => undefined);
    const table = this.#tables.find(name);
    if (table === null) answer(noSuchTable(name, flag === false));
    else answer(null, table);
  }

  getItemDb(table: string) {
    const space = this.#space(table, "");
    return {
      lock: (_key: string, work: (release: (callback: Callback) => Callback) => void) =>
        work((callback) => callback),
      get: (key: string, callback: Callback) => {
        this.#itemKey = key;
        this.#lastRead = this.#rows.get(space, key);
        callback(null, this.#lastRead ?? undefined);
      },
      put: (key: string, item: object, callback: Callback) => {
        this.#rows.put(space, key, item);
        callback();
      },
      del: (key: string, callback: Callback) => {
        this.#rows.delete(space, key);
        callback();
      },
      createValueStream: (range: RowRange) => this.#stream(space, range),
    };
  }

  /**
   * Index entries are written right after their item was read, so the last item's key is theirs.
   */
  getIndexDb(_kind: string, table: string, index: string) {
    const space = this.#space(table, index);
    return {
      put: (key: string, entry: object, callback: Callback) => {
        this.#rows.put(space, uniqueIndexKey(key, this.#itemKey), entry);
        callback();
      },
      del: (key: string, callback: Callback) => {
        this.#rows.delete(space, uniqueIndexKey(key, this.#itemKey));
        callback();
      },
      createValueStream: (range: RowRange) => this.#stream(space, this.#startBehind(range)),
    };
  }

  /**
   * Tells dynalite's bound of a page, which knows only the first half of an entry's key, the whole
   * of it.
   */
  #startBehind(range: RowRange): RowRange {
    if (this.#page === null) return range;
    const { table, index, startKey } = this.#page;
    const schema = indexesOf(table).find(({ IndexName }) => IndexName === index)?.KeySchema;
    if (schema === undefined) return range;
    const short = db.createIndexKey(startKey, table, schema);
    const whole = uniqueIndexKey(short, db.createKey(startKey, table));
    return {
      ...range,
      ...(range.gt === short ? { gt: whole } : {}),
      ...(range.lt === short ? { lt: whole } : {}),
    };
  }

  #space(table: string, index: string): number {
    const space = this.#rows.space(table, index);
    if (space === null) throw new Error(`${table} has no rows for ${index || "its items"}`);
    return space;
  }

  #stream(space: number, range: RowRange): RowStream {
    const stream = new RowStream(this.#rows.scan(space, range));
    this.#streams.push(stream);
    return stream;
  }
}

/** Has the members that dynalite's own errors have. */
function noSuchTable(name: string, isNamed: boolean): Error {
  const message = `Requested resource not found${isNamed ? `: Table: ${name} not found` : ""}`;
  const { type } = resourceNotFound(message);
  return Object.assign(new Error(message), {
    name: "NotFoundError",
    statusCode: 400,
    body: { __type: type, message },
  });
}

export function resourceNotFound(message: string): DynamodbError {
  return new DynamodbError(
    400,
    "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
    message,
  );
}
