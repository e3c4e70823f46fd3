import type {
  AttributeDefinition,
  KeySchemaElement,
  Projection,
  ScalarAttributeType,
} from "@aws-sdk/client-dynamodb";
import type { Json, JsonObject } from "../../../../model/json.ts";
import { isObject, objectIn, stringIn, stringOrNullIn } from "../input-parsers.ts";

/** A key and what else an index holds. */
export interface TableIndex {
  readonly hashKey: string;
  readonly rangeKey: string | null;
  readonly projection: "all" | "keys-only" | readonly string[];
}

/** @throws Error when the input is no index */
export function indexIn(inputs: JsonObject, key: string): TableIndex {
  const index = objectIn(inputs, key);
  return {
    hashKey: stringIn(index, "hashKey"),
    rangeKey: stringOrNullIn(index, "rangeKey"),
    projection: projectionOf(index["projection"]),
  };
}

/** Indexes by name. @throws Error when the input holds anything else */
export function indexesIn(inputs: JsonObject, key: string): ReadonlyMap<string, TableIndex> {
  const indexes = objectIn(inputs, key);
  return new Map(Object.keys(indexes).map((name) => [name, indexIn(indexes, name)]));
}

/** The key as DynamoDB writes it. */
export function keySchema({ hashKey, rangeKey }: TableIndex): KeySchemaElement[] {
  const hash: KeySchemaElement = { AttributeName: hashKey, KeyType: "HASH" };
  return rangeKey === null ? [hash] : [hash, { AttributeName: rangeKey, KeyType: "RANGE" }];
}

/** An index as DynamoDB writes it. */
export function indexSchema(name: string, index: TableIndex) {
  return {
    IndexName: name,
    KeySchema: keySchema(index),
    Projection: projectionSchema(index.projection),
  };
}

/** Types of the fields that are keys: DynamoDB refuses to be told of others. */
export function attributesOf(
  inputs: JsonObject,
  indexes: readonly TableIndex[],
): AttributeDefinition[] {
  const fields = objectIn(inputs, "fields");
  const names = new Set(indexes.flatMap(({ hashKey, rangeKey }) => [hashKey, rangeKey ?? hashKey]));
  return [...names].sort().map((AttributeName) => ({
    AttributeName,
    AttributeType: typeOf(stringIn(fields, AttributeName)),
  }));
}

function typeOf(type: string): ScalarAttributeType {
  if (type === "string") return "S";
  if (type === "number") return "N";
  if (type === "binary") return "B";
  throw new Error(`${type} is not the type of a key`);
}

function projectionOf(value: Json | undefined): TableIndex["projection"] {
  if (value === "all" || value === "keys-only") return value;
  if (!Array.isArray(value) || isObject(value)) throw new Error("a projection is not known");
  return value.map(String);
}

function projectionSchema(projection: TableIndex["projection"]): Projection {
  if (projection === "all") return { ProjectionType: "ALL" };
  if (projection === "keys-only") return { ProjectionType: "KEYS_ONLY" };
  return { ProjectionType: "INCLUDE", NonKeyAttributes: [...projection] };
}
