import type { DynamoNode, TableIndex } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { JsonObject } from "../../../model/json.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered } from "../../cloud.ts";
import { goalOf } from "../../lowering/goal.ts";
import { AWS_TYPES } from "../types.ts";
import { checkTransformed } from "./check-transformed.ts";

/** A Dynamo component. */
export function lowerTable(node: DynamoNode): Lowered {
  const inputs = {
    fields: { ...node.fields },
    primaryIndex: indexInputs(node.primaryIndex),
    globalIndexes: indexesInputs(node.globalIndexes),
    localIndexes: indexesInputs(node.localIndexes),
    deletionProtection: node.deletionProtection,
    ttl: node.ttl,
    stream: node.stream,
  };
  const after = checkTransformed(node, "table", inputs, applyTransform(node, "table", inputs));
  const table = goalOf(node, "", AWS_TYPES.table, after);
  return {
    goals: [table],
    outputs: { name: new Ref(table.urn, "name"), arn: new Ref(table.urn, "arn") },
  };
}

function indexesInputs(indexes: Readonly<Record<string, TableIndex>>): JsonObject {
  return Object.fromEntries(
    Object.entries(indexes).map(([name, index]) => [name, indexInputs(index)]),
  );
}

function indexInputs({ hashKey, rangeKey, projection }: TableIndex): JsonObject {
  return { hashKey, rangeKey, projection };
}
