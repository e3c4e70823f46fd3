import { createHash } from "node:crypto";
import db from "dynalite/db/index.js";
import { ITEM_ACTIONS, type ItemAction } from "./actions.ts";
import { refusalIn } from "./dynalite-refusal.ts";
import { DynamodbError, validationError } from "./dynamodb-error.ts";
import type { DynamodbStore } from "./dynamodb-store.ts";
import { type Item, isItem } from "./row-store.ts";
import { checkRequest, runWrite } from "./run-action.ts";
import { resourceNotFound } from "./store-view.ts";
import { parseTransactItems, type TransactionEntry } from "./transaction-request.ts";

/** For how long DynamoDB recognizes a repeated `ClientRequestToken`. */
const TOKEN_MS = 10 * 60 * 1000;

interface Prepared extends TransactionEntry {
  readonly action: ItemAction;
  readonly data: Item;
}

/**
 * All of the writes or none of them, in one commit. @throws DynamodbError
 * TransactionCanceledException and others
 */
export async function transactWriteItems(store: DynamodbStore, request: Item): Promise<object> {
  const entries = parseTransactItems(request, ["Put", "Update", "Delete", "ConditionCheck"]);
  const prepared = entries.map(prepare);
  await store.database.commit(() => {
    checkDistinct(store, prepared);
    if (isRepeat(store, request)) return;
    const outcomes = prepared.map((entry) => attempt(store, entry));
    if (outcomes.some((outcome) => outcome !== null)) throw canceled(outcomes);
  });
  return {};
}

function prepare(entry: TransactionEntry): Prepared {
  const action = actionOf(entry.kind);
  if (entry.kind === "ConditionCheck" && entry.request["ConditionExpression"] === undefined)
    throw validationError("ConditionCheck needs a ConditionExpression");
  return { ...entry, action, data: checkRequest(action, entry.request) };
}

/** A condition check names its item and condition just as a deletion does. */
function actionOf(kind: string): ItemAction {
  if (kind === "Put") return ITEM_ACTIONS.PutItem;
  return kind === "Update" ? ITEM_ACTIONS.UpdateItem : ITEM_ACTIONS.DeleteItem;
}

/**
 * Null when it was done, else why not. Conditions see the state before: no two entries are about
 * one item.
 */
function attempt(store: DynamodbStore, entry: Prepared): DynamodbError | null {
  try {
    if (entry.kind === "ConditionCheck") checkCondition(store, entry);
    else runWrite(store, entry.action, entry.data, withReturnedItem(entry.request));
    return null;
  } catch (error) {
    const refusal = error instanceof DynamodbError ? error : refusalIn(error);
    if (refusal?.type.endsWith("#ConditionalCheckFailedException")) return refusal;
    if (refusal?.type.endsWith("#ValidationException")) return refusal;
    throw refusal ?? error;
  }
}

function checkCondition(store: DynamodbStore, { data, request }: Prepared): void {
  const { space, key } = locate(store, data);
  const item = store.rows.get(space, key);
  const refusal = refusalIn(db.checkConditional(data, item ?? undefined));
  if (refusal === null) return;
  const isWanted = request["ReturnValuesOnConditionCheckFailure"] === "ALL_OLD" && item !== null;
  throw new DynamodbError(400, refusal.type, refusal.message, isWanted ? { Item: item } : {});
}

function withReturnedItem(request: Item): Item {
  const { ReturnValuesOnConditionCheckFailure = "NONE" } = request;
  return { ReturnValuesOnConditionCheckFailure };
}

function checkDistinct(store: DynamodbStore, entries: readonly Prepared[]): void {
  const keys = new Set(
    entries.map(({ data }) => {
      const { space, key } = locate(store, data);
      return `${space}/${key}`;
    }),
  );
  if (keys.size < entries.length)
    throw validationError("Transaction request cannot include multiple operations on one item");
}

/**
 * Where the item of an entry is or would be. @throws DynamodbError when there is no such table or
 * key
 */
function locate(
  store: DynamodbStore,
  data: Item,
): { readonly space: number; readonly key: string } {
  const name = String(data["TableName"]);
  const table = store.tables.find(name);
  const space = store.rows.space(name, "");
  if (table === null || space === null) throw resourceNotFound("Requested resource not found");
  const source = data["Key"] ?? data["Item"];
  if (!isItem(source)) throw validationError("The item's key is missing");
  const key = Object.fromEntries(
    table.KeySchema.map(({ AttributeName }) => [AttributeName, source[AttributeName]] as const),
  );
  const keyIn = data["Key"] === undefined ? key : source;
  const isWhole = Object.values(keyIn).every((value) => value !== undefined);
  const refusal = isWhole ? refusalIn(db.validateKey(keyIn, table)) : null;
  if (!isWhole || refusal !== null)
    throw refusal ?? validationError("One of the required keys was not given a value");
  return { space, key: db.createKey(keyIn, table) };
}

/**
 * Whether the transaction of this token was done already; remembers the token otherwise.
 *
 * @throws DynamodbError IdempotentParameterMismatchException
 */
function isRepeat(store: DynamodbStore, request: Item): boolean {
  const token = request["ClientRequestToken"];
  if (typeof token !== "string" || token === "") return false;
  const now = Date.now();
  const hash = createHash("sha256").update(JSON.stringify(request["TransactItems"])).digest("hex");
  store.database.run("DELETE FROM tokens WHERE at_ms < ?", [now - TOKEN_MS]);
  const known = store.database.get("SELECT request FROM tokens WHERE token = ?", [token]);
  if (known === null) {
    store.database.run("INSERT INTO tokens(token, request, at_ms) VALUES(?, ?, ?)", [
      token,
      hash,
      now,
    ]);
    return false;
  }
  if (known.text("request") === hash) return true;
  throw new DynamodbError(
    400,
    "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException",
    "The request uses the same client token as a previous, but non-identical request.",
  );
}

function canceled(outcomes: readonly (DynamodbError | null)[]): DynamodbError {
  const reasons = outcomes.map((outcome) => {
    if (outcome === null) return { Code: "None" };
    const isCondition = outcome.type.endsWith("#ConditionalCheckFailedException");
    const code = isCondition ? "ConditionalCheckFailed" : "ValidationError";
    return { Code: code, Message: outcome.message, ...outcome.details };
  });
  const codes = reasons.map(({ Code }) => Code).join(", ");
  return new DynamodbError(
    400,
    "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}
