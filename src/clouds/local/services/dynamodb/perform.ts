import { ITEM_ACTIONS, type ItemAction } from "./actions.ts";
import type { DynamodbStore } from "./dynamodb-store.ts";
import { refuseOperation } from "./refused-operations.ts";
import type { Item } from "./row-store.ts";
import { checkRequest, runRead, runWrite } from "./run-action.ts";
import { describeTableOperation, describeTimeToLive, listTables } from "./table-operations.ts";
import { transactGetItems } from "./transact-get-items.ts";
import { transactWriteItems } from "./transact-write-items.ts";

/**
 * Does one operation, named as in the API. A write is durable when it resolves.
 *
 * @throws DynamodbError
 */
export async function perform(
  store: DynamodbStore,
  operation: string,
  request: Item,
): Promise<unknown> {
  const action = itemAction(operation);
  if (action !== null) return await performItemAction(store, action, request);
  switch (operation) {
    case "TransactWriteItems":
      return await transactWriteItems(store, request);
    case "TransactGetItems":
      return await transactGetItems(store, request);
    case "DescribeTable":
      return describeTableOperation(store, request);
    case "DescribeTimeToLive":
      return describeTimeToLive(store, request);
    case "ListTables":
      return listTables(store, request);
    default:
      throw refuseOperation(operation);
  }
}

async function performItemAction(
  store: DynamodbStore,
  action: ItemAction,
  request: Item,
): Promise<unknown> {
  const data = checkRequest(action, request);
  if (!action.writes) return await runRead(store, action, data);
  return await store.database.commit(() => runWrite(store, action, data, request));
}

function itemAction(operation: string): ItemAction | null {
  const found = Object.entries(ITEM_ACTIONS).find(([name]) => name === operation);
  return found?.[1] ?? null;
}
