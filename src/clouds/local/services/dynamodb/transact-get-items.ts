import { ITEM_ACTIONS } from "./actions.ts";
import type { DynamodbStore } from "./dynamodb-store.ts";
import { type Item, isItem } from "./row-store.ts";
import { checkRequest, runRead } from "./run-action.ts";
import { parseTransactItems } from "./transaction-request.ts";

/**
 * Items as they are at one moment: every read is done before another request gets its turn. @throws
 * DynamodbError
 */
export async function transactGetItems(store: DynamodbStore, request: Item): Promise<object> {
  const entries = parseTransactItems(request, ["Get"]);
  const checked = entries.map((entry) => checkRequest(ITEM_ACTIONS.GetItem, entry.request));
  const answers = await Promise.all(
    checked.map((data) => runRead(store, ITEM_ACTIONS.GetItem, data)),
  );
  const responses = answers.map((answer) =>
    isItem(answer) && answer["Item"] !== undefined ? { Item: answer["Item"] } : {},
  );
  return { Responses: responses };
}
