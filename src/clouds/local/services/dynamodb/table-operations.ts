import { validationError } from "./dynamodb-error.ts";
import type { DynamodbStore } from "./dynamodb-store.ts";
import type { Item } from "./row-store.ts";
import { resourceNotFound } from "./store-view.ts";
import type { TableDescription } from "./table-description.ts";

const TABLES_PAGE_MAX = 100;

/** The item count is exact, where DynamoDB's is some hours old. @throws DynamodbError */
export function describeTableOperation(store: DynamodbStore, request: Item): object {
  const table = requireTable(store, request);
  const space = store.rows.space(table.TableName, "");
  const ItemCount = space === null ? 0 : store.rows.count(space);
  return { Table: { ...table, ItemCount } };
}

/** @throws DynamodbError */
export function describeTimeToLive(store: DynamodbStore, request: Item): object {
  requireTable(store, request);
  return { TimeToLiveDescription: { TimeToLiveStatus: "DISABLED" } };
}

/**
 * The tables of the stage whose access key signed the request, and no others. @throws DynamodbError
 */
export function listTables(store: DynamodbStore, request: Item): object {
  const { ExclusiveStartTableName: after = "", Limit: limit = TABLES_PAGE_MAX } = request;
  if (typeof after !== "string") throw validationError("ExclusiveStartTableName must be a string");
  if (typeof limit !== "number" || limit < 1 || limit > TABLES_PAGE_MAX)
    throw validationError(`Limit must be from 1 to ${TABLES_PAGE_MAX}`);
  const names = store.tables.names().filter((name) => name > after);
  const page = names.slice(0, limit);
  const last = page.at(-1);
  const isWhole = page.length === names.length || last === undefined;
  return { TableNames: page, ...(isWhole ? {} : { LastEvaluatedTableName: last }) };
}

function requireTable(store: DynamodbStore, request: Item): TableDescription {
  const name = request["TableName"];
  if (typeof name !== "string" || name === "")
    throw validationError(
      "The parameter 'TableName' is required but was not present in the request",
    );
  const table = store.tables.find(tableNameOf(name));
  if (table === null)
    throw resourceNotFound(`Requested resource not found: Table: ${name} not found`);
  return table;
}

/** A table may be named by its ARN, too. */
function tableNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith("arn:") ? nameOrArn.slice(nameOrArn.lastIndexOf("/") + 1) : nameOrArn;
}
