import validations from "dynalite/validations/index.js";
import type { ItemAction } from "./actions.ts";
import { refusalIn } from "./dynalite-refusal.ts";
import { DynamodbError } from "./dynamodb-error.ts";
import type { DynamodbStore } from "./dynamodb-store.ts";
import { type Item, isItem } from "./row-store.ts";
import { type IndexPage, STORE_OPTIONS, StoreView } from "./store-view.ts";

/** A read that has not answered by then is a bug of ours and must not keep its client waiting. */
const READ_TIMEOUT_MS = 30_000;

/** Checks a request by DynamoDB's rules; returns it parsed. @throws DynamodbError */
export function checkRequest(action: ItemAction, request: Item): Item {
  try {
    const data = validations.checkTypes(structuredClone(request), action.rules.types);
    validations.checkValidations(data, action.rules.types, action.rules.custom, {
      options: STORE_OPTIONS,
    });
    return Object.fromEntries(Object.entries(data));
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

/** Runs a reading action. @throws DynamodbError */
export function runRead(store: DynamodbStore, action: ItemAction, data: Item): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const view = viewFor(store, data);
    const timer = setTimeout(() => reject(new Error("a read did not answer")), READ_TIMEOUT_MS);
    try {
      action.run(view, data, (error, result) => {
        clearTimeout(timer);
        if (error) reject(refusalIn(error) ?? error);
        else resolve(result);
      });
      view.pump();
    } catch (error) {
      clearTimeout(timer);
      reject(error);
    }
  });
}

/**
 * Runs a writing action; call it inside a commit. It either has written all when it returns, or
 * throws.
 *
 * @param request as the client sent it, for the members that dynalite does not know
 * @throws DynamodbError
 */
export function runWrite(
  store: DynamodbStore,
  action: ItemAction,
  data: Item,
  request: Item,
): unknown {
  const view = viewFor(store, data);
  let outcome: { readonly error: unknown; readonly result: unknown } | null = null;
  const settle = (error: unknown, result?: unknown) => {
    outcome = { error, result };
  };
  action.run(view, data, settle);
  return finishWrite(outcome, view, request);
}

function finishWrite(
  outcome: { readonly error: unknown; readonly result: unknown } | null,
  view: StoreView,
  request: Item,
): unknown {
  if (outcome === null) throw new Error("a write did not end within its commit");
  if (!outcome.error) return outcome.result;
  const refusal = refusalIn(outcome.error);
  if (refusal === null) throw outcome.error;
  throw withItem(refusal, view, request);
}

/** Answers a condition that did not hold with the item, when the client asks for it. */
function withItem(refusal: DynamodbError, view: StoreView, request: Item): DynamodbError {
  const isWanted = request["ReturnValuesOnConditionCheckFailure"] === "ALL_OLD";
  const item = view.lastRead;
  if (!isWanted || item === null || !refusal.type.endsWith("#ConditionalCheckFailedException"))
    return refusal;
  return new DynamodbError(refusal.status, refusal.type, refusal.message, { Item: item });
}

function viewFor(store: DynamodbStore, data: Item): StoreView {
  return new StoreView(store.tables, store.rows, indexPage(store, data));
}

function indexPage(store: DynamodbStore, data: Item): IndexPage | null {
  const { TableName: name, IndexName: index, ExclusiveStartKey: startKey } = data;
  if (typeof name !== "string" || typeof index !== "string" || !isItem(startKey)) return null;
  const table = store.tables.find(name);
  return table === null ? null : { table, index, startKey };
}
