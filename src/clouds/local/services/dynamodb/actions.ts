import batchGetItem from "dynalite/actions/batchGetItem.js";
import batchWriteItem from "dynalite/actions/batchWriteItem.js";
import deleteItem from "dynalite/actions/deleteItem.js";
import getItem from "dynalite/actions/getItem.js";
import putItem from "dynalite/actions/putItem.js";
import query from "dynalite/actions/query.js";
import scan from "dynalite/actions/scan.js";
import updateItem from "dynalite/actions/updateItem.js";
import batchGetItemRules from "dynalite/validations/batchGetItem.js";
import batchWriteItemRules from "dynalite/validations/batchWriteItem.js";
import deleteItemRules from "dynalite/validations/deleteItem.js";
import getItemRules from "dynalite/validations/getItem.js";
import putItemRules from "dynalite/validations/putItem.js";
import queryRules from "dynalite/validations/query.js";
import scanRules from "dynalite/validations/scan.js";
import updateItemRules from "dynalite/validations/updateItem.js";

/** An operation on items as dynalite does it. */
export interface ItemAction {
  readonly run: typeof getItem;
  readonly rules: typeof getItemRules;
  readonly writes: boolean;
}

export const ITEM_ACTIONS = {
  BatchGetItem: { run: batchGetItem, rules: batchGetItemRules, writes: false },
  BatchWriteItem: { run: batchWriteItem, rules: batchWriteItemRules, writes: true },
  DeleteItem: { run: deleteItem, rules: deleteItemRules, writes: true },
  GetItem: { run: getItem, rules: getItemRules, writes: false },
  PutItem: { run: putItem, rules: putItemRules, writes: true },
  Query: { run: query, rules: queryRules, writes: false },
  Scan: { run: scan, rules: scanRules, writes: false },
  UpdateItem: { run: updateItem, rules: updateItemRules, writes: true },
} as const satisfies Readonly<Record<string, ItemAction>>;
