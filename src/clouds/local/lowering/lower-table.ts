import type { DynamoNode, TableIndex } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { JsonObject } from "../../../model/json.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered } from "../../cloud.ts";
import { goalOf } from "../../lowering/goal.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { checkTransformed } from "./check-transformed.ts";
import { notHere } from "./not-here.ts";

/**
 * A Dynamo component. @throws DiagnosticError `LOCAL_NOT_SUPPORTED` (exit 2) for a stream or a time
 * to live
 */
export function lowerTable(node: DynamoNode): Lowered {
  if (node.stream !== null) throw notHere(node, "a stream");
  if (node.ttl !== null) throw notHere(node, "a time to live (ttl)");
  const inputs = {
    fields: { ...node.fields },
    primaryIndex: indexInputs(node.primaryIndex),
    globalIndexes: indexesInputs(node.globalIndexes),
    localIndexes: indexesInputs(node.localIndexes),
    deletionProtection: node.deletionProtection,
  };
  const after = checkTransformed(node, "table", inputs, applyTransform(node, "table", inputs));
  const table = goalOf(node, "", LOCAL_TYPES.table, after);
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
