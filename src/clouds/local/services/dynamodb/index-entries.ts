import db from "dynalite/db/index.js";
import type { Item } from "./row-store.ts";
import type { IndexDescription, TableDescription } from "./table-description.ts";

export interface IndexEntry {
  readonly index: string;
  readonly key: string;
  readonly item: object;
}

/**
 * What the indexes hold for an item. An item without an index's keys, or with a key of another
 * type, is not in that index, as when DynamoDB fills a new one.
 */
export function entriesFor(
  table: TableDescription,
  indexes: readonly IndexDescription[],
  item: Item,
): readonly IndexEntry[] {
  const fitting = indexes.filter((index) =>
    index.KeySchema.every(({ AttributeName }) => hasKeyType(table, AttributeName, item)),
  );
  const itemKey = db.createKey(item, table);
  return db
    .getIndexActions(fitting, null, item, table)
    .puts.map((put) => ({ ...put, key: uniqueIndexKey(put.key, itemKey) }));
}

/**
 * dynalite ends an index key with 24 bits of a hash of the item's key. Among some thousand entries
 * of the same index key two would be the same, and one would overwrite the other; with the item's
 * whole key behind it they never are.
 */
export function uniqueIndexKey(indexKey: string, itemKey: string): string {
  return `${indexKey}/${itemKey}`;
}

function hasKeyType(table: TableDescription, attribute: string, item: Item): boolean {
  const definition = table.AttributeDefinitions.find(
    ({ AttributeName }) => AttributeName === attribute,
  );
  const value = item[attribute];
  if (definition === undefined || typeof value !== "object" || value === null) return false;
  return definition.AttributeType in value;
}
