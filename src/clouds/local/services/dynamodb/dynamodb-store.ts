import { join } from "node:path";
import { Sqlite } from "../sqlite/sqlite.ts";
import { RowStore } from "./row-store.ts";
import { DYNAMODB_MIGRATIONS } from "./schema.ts";
import { TableCatalog } from "./table-catalog.ts";

/** Everything DynamoDB keeps for one stage, in one SQLite file. */
export class DynamodbStore {
  readonly database: Sqlite;
  readonly rows: RowStore;
  readonly tables: TableCatalog;

  constructor(folder: string) {
    this.database = new Sqlite(join(folder, "dynamodb.sqlite"), DYNAMODB_MIGRATIONS);
    this.rows = new RowStore(this.database);
    this.tables = new TableCatalog(this.database, this.rows);
  }

  close(): void {
    this.database.close();
  }
}
