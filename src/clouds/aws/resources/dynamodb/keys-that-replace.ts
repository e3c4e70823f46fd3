import { type JsonObject, jsonEquals } from "../../../../model/json.ts";
import { isObject } from "../input-parsers.ts";

/**
 * DynamoDB can add and delete global indexes of a table and nothing else of its keys
 * (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html): the primary key, local indexes and
 * the types of the fields they are made of stay as they were made.
 */
export function keysThatReplace(
  changedKeys: readonly string[],
  before: JsonObject | null,
  after: JsonObject,
): readonly string[] {
  // What is there is unknown after a crash; the service refuses what it cannot change.
  if (before === null) return [];
  return changedKeys.filter((key) => {
    if (key === "primaryIndex") return !sameKey(before[key], after[key]);
    if (key === "localIndexes") return true;
    return key === "fields" && fixedFieldsDiffer(before, after);
  });
}

function sameKey(before: JsonObject[string] | undefined, after: JsonObject[string] | undefined) {
  if (!isObject(before) || !isObject(after)) return false;
  return ["hashKey", "rangeKey"].every((key) => jsonEquals(before[key], after[key]));
}

function fixedFieldsDiffer(before: JsonObject, after: JsonObject): boolean {
  const [were, are] = [before["fields"], after["fields"]];
  if (!isObject(were) || !isObject(are)) return true;
  return fixedFields(before).some((field) => !jsonEquals(were[field], are[field]));
}

/** Names of the fields that the primary key and the local indexes are made of. */
function fixedFields(inputs: JsonObject): readonly string[] {
  const locals = inputs["localIndexes"];
  const indexes = [inputs["primaryIndex"], ...(isObject(locals) ? Object.values(locals) : [])];
  return indexes
    .flatMap((index) => (isObject(index) ? [index["hashKey"], index["rangeKey"]] : []))
    .filter((field) => typeof field === "string");
}
