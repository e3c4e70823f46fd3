import createTable from "dynalite/validations/createTable.js";
import validations from "dynalite/validations/index.js";
import { fail } from "../../../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../../../model/json.ts";
import { refusalIn } from "./dynalite-refusal.ts";

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

export interface IndexDescription {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection: { readonly ProjectionType: string };
}

/** What DescribeTable answers, and what dynalite works by. Stored as it is. */
export interface TableDescription {
  readonly TableName: string;
  readonly TableArn: string;
  readonly TableId: string;
  readonly TableStatus: "ACTIVE";
  /** Seconds since the epoch. */
  readonly CreationDateTime: number;
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  readonly KeySchema: readonly KeyElement[];
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
  readonly LocalSecondaryIndexes?: readonly IndexDescription[];
  readonly [member: string]: unknown;
}

export interface TableIdentity {
  readonly name: string;
  /** `arn:aws:dynamodb:<region>:<account>:table/<name>` */
  readonly arn: string;
  readonly id: string;
  readonly createdMs: number;
}

/**
 * Turns a resource's spec (fields, primaryIndex, globalIndexes, localIndexes as in a Dynamo
 * component) into a description, by DynamoDB's own rules.
 *
 * @throws DiagnosticError `TABLE_SPEC_INVALID`, `TABLE_FEATURE_UNSUPPORTED`
 */
export function describeTable(identity: TableIdentity, spec: JsonObject): TableDescription {
  refuseFeatures(identity.name, spec);
  const input = createTableInput(identity.name, spec);
  checkInput(identity.name, input);
  const withArn = (index: IndexDescription) => ({
    ...index,
    IndexArn: `${identity.arn}/index/${index.IndexName}`,
    IndexSizeBytes: 0,
    ItemCount: 0,
  });
  const { GlobalSecondaryIndexes: globals, LocalSecondaryIndexes: locals, ...base } = input;
  return {
    ...base,
    TableArn: identity.arn,
    TableId: identity.id,
    TableStatus: "ACTIVE",
    CreationDateTime: identity.createdMs / 1000,
    ItemCount: 0,
    TableSizeBytes: 0,
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    DeletionProtectionEnabled: spec["deletionProtection"] === true,
    ProvisionedThroughput: NO_THROUGHPUT,
    ...(globals === undefined
      ? {}
      : {
          GlobalSecondaryIndexes: globals.map((index) => ({
            ...withArn(index),
            IndexStatus: "ACTIVE",
            ProvisionedThroughput: NO_THROUGHPUT,
          })),
        }),
    ...(locals === undefined ? {} : { LocalSecondaryIndexes: locals.map(withArn) }),
  };
}

const NO_THROUGHPUT = {
  NumberOfDecreasesToday: 0,
  ReadCapacityUnits: 0,
  WriteCapacityUnits: 0,
} as const;

type CreateTableInput = Pick<
  TableDescription,
  "TableName" | "AttributeDefinitions" | "KeySchema"
> & {
  readonly BillingMode: "PAY_PER_REQUEST";
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
  readonly LocalSecondaryIndexes?: readonly IndexDescription[];
};

function createTableInput(name: string, spec: JsonObject): CreateTableInput {
  const attributes = Object.entries(objectIn(name, spec, "fields"));
  const globals = indexesIn(name, spec, "globalIndexes");
  const locals = indexesIn(name, spec, "localIndexes");
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: attributes.map(([attribute, type]) => ({
      AttributeName: attribute,
      AttributeType: attributeType(name, type),
    })),
    KeySchema: keySchema(name, objectIn(name, spec, "primaryIndex")),
    ...(globals.length === 0 ? {} : { GlobalSecondaryIndexes: globals }),
    ...(locals.length === 0 ? {} : { LocalSecondaryIndexes: locals }),
  };
}

function indexesIn(table: string, spec: JsonObject, member: string): readonly IndexDescription[] {
  if (spec[member] === undefined) return [];
  const indexes = objectIn(table, spec, member);
  return Object.keys(indexes).map((name) => {
    const index = objectIn(table, indexes, name);
    return {
      IndexName: name,
      KeySchema: keySchema(table, index),
      Projection: projection(table, index["projection"] ?? "all"),
    };
  });
}

function keySchema(table: string, index: JsonObject): readonly KeyElement[] {
  const { hashKey, rangeKey = null } = index;
  if (typeof hashKey !== "string") throw invalid(table, "A hashKey is not a text.");
  if (rangeKey !== null && typeof rangeKey !== "string")
    throw invalid(table, "A rangeKey is not a text.");
  const hash = { AttributeName: hashKey, KeyType: "HASH" } as const;
  return rangeKey === null ? [hash] : [hash, { AttributeName: rangeKey, KeyType: "RANGE" }];
}

function projection(table: string, value: Json) {
  if (value === "all") return { ProjectionType: "ALL" };
  if (value === "keys-only") return { ProjectionType: "KEYS_ONLY" };
  if (Array.isArray(value)) return { ProjectionType: "INCLUDE", NonKeyAttributes: value };
  throw invalid(table, "A projection is neither all, keys-only nor a list of names.");
}

const ATTRIBUTE_TYPES: ReadonlyMap<Json, string> = new Map([
  ["string", "S"],
  ["number", "N"],
  ["binary", "B"],
]);

function attributeType(table: string, type: Json): string {
  const known = ATTRIBUTE_TYPES.get(type);
  if (known === undefined) throw invalid(table, "A field is neither string, number nor binary.");
  return known;
}

function objectIn(table: string, parent: JsonObject, member: string): JsonObject {
  const value = parent[member];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject) return value as JsonObject;
  throw invalid(table, `${member} is not an object.`);
}

/** dynalite knows DynamoDB's rules for CreateTable and their messages. */
function checkInput(table: string, input: CreateTableInput): void {
  try {
    const copy = validations.checkTypes(structuredClone(input), createTable.types);
    validations.checkValidations(copy, createTable.types, createTable.custom, {});
  } catch (error) {
    throw invalid(table, refusalIn(error)?.message ?? String(error));
  }
}

function refuseFeatures(table: string, spec: JsonObject): void {
  for (const feature of ["ttl", "stream"]) {
    const value = spec[feature];
    if (value === undefined || value === null) continue;
    throw fail("TABLE_FEATURE_UNSUPPORTED", `The table ${table} cannot have ${feature}`, {
      why: `DynamoDB on the local cloud does not support ${feature}.`,
      hint: `Leave out ${feature} for stages on the local cloud.`,
    });
  }
}

function invalid(table: string, why: string) {
  return fail("TABLE_SPEC_INVALID", `The table ${table} cannot be made as described`, { why });
}
