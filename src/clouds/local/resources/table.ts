import type { ResourceHandler } from "../../../engine/handler.ts";
import { type Json, type JsonObject, jsonEquals } from "../../../model/json.ts";
import { LOCAL_TYPES, tableArn } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/**
 * `local:table`: inputs fields, primaryIndex, globalIndexes, localIndexes, deletionProtection;
 * outputs name, arn. Deleting it deletes its items.
 */
export function tableHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.table,
      data: true,
      naming: { maxLength: 128, lowerCase: false },
      replaces: keysThatReplace,
      predict: (physicalName) => ({ name: physicalName, arn: tableArn(physicalName) }),
    },
    access,
  );
}

/**
 * DynamoDB can add and delete global indexes of a table and nothing else of its keys
 * (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html): the primary key,
 * local indexes and the types of the fields they are made of stay as they were made.
 */
export function keysThatReplace(
  changedKeys: readonly string[],
  before: JsonObject | null,
  after: JsonObject,
): readonly string[] {
  // What is there is unknown after a crash; the service refuses what it cannot change.
  if (before === null) return [];
  return changedKeys.filter((key) => {
    if (key === "primaryIndex" || key === "localIndexes") return true;
    return key === "fields" && fixedFieldsDiffer(before, after);
  });
}

function fixedFieldsDiffer(before: JsonObject, after: JsonObject): boolean {
  const were = objectAt(before, "fields");
  const are = objectAt(after, "fields");
  return fixedFields(before).some((field) => !jsonEquals(were[field], are[field]));
}

/** Names of the fields that the primary key and the local indexes are made of. */
function fixedFields(inputs: JsonObject): readonly string[] {
  const indexes = [
    objectAt(inputs, "primaryIndex"),
    ...Object.values(objectAt(inputs, "localIndexes")).map(asObject),
  ];
  return indexes
    .flatMap((index) => [index["hashKey"], index["rangeKey"]])
    .filter((field) => typeof field === "string");
}

function objectAt(inputs: JsonObject, key: string): JsonObject {
  return asObject(inputs[key]);
}

function asObject(value: Json | undefined): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}
