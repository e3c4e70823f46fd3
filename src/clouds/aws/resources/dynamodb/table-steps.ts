import type {
  StreamViewType,
  TableDescription,
  UpdateTableCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { JsonObject } from "../../../../model/json.ts";
import { booleanIn, stringOrNullIn } from "../input-parsers.ts";
import { attributesOf, indexesIn, indexIn, indexSchema, type TableIndex } from "./table-schema.ts";

/** One call of UpdateTable. */
export interface TableStep {
  /** What is waited for after it. */
  readonly reason: string;
  readonly request: Omit<UpdateTableCommandInput, "TableName">;
}

/**
 * The next change of a table on its way to what is wanted; null when it is there. DynamoDB makes one at a time: an
 * index, the stream or the protection. Pure.
 */
export function nextTableStep(table: TableDescription, inputs: JsonObject): TableStep | null {
  return protectionStep(table, inputs) ?? streamStep(table, inputs) ?? indexStep(table, inputs);
}

/** The stream as CreateTable and UpdateTable take it; null for none. @throws Error for an unknown one */
export function streamIn(inputs: JsonObject): StreamViewType | null {
  const stream = stringOrNullIn(inputs, "stream");
  switch (stream) {
    case null:
      return null;
    case "keys-only":
      return "KEYS_ONLY";
    case "new-image":
      return "NEW_IMAGE";
    case "old-image":
      return "OLD_IMAGE";
    case "new-and-old-images":
      return "NEW_AND_OLD_IMAGES";
    default:
      throw new Error(`${stream} is not a stream`);
  }
}

function protectionStep(table: TableDescription, inputs: JsonObject): TableStep | null {
  const DeletionProtectionEnabled = booleanIn(inputs, "deletionProtection");
  if ((table.DeletionProtectionEnabled ?? false) === DeletionProtectionEnabled) return null;
  return { reason: "its protection is being changed", request: { DeletionProtectionEnabled } };
}

/** A stream that shows something else is another stream, so the old one ends first. */
function streamStep({ StreamSpecification: there }: TableDescription, inputs: JsonObject) {
  const wanted = streamIn(inputs);
  const isOn = there?.StreamEnabled === true;
  if (isOn && there.StreamViewType !== wanted) {
    const request = { StreamSpecification: { StreamEnabled: false } };
    return { reason: "its stream is being ended", request };
  }
  if (isOn || wanted === null) return null;
  const StreamSpecification = { StreamEnabled: true, StreamViewType: wanted };
  return { reason: "its stream is being begun", request: { StreamSpecification } };
}

function indexStep(table: TableDescription, inputs: JsonObject): TableStep | null {
  const wanted = indexesIn(inputs, "globalIndexes");
  const there = table.GlobalSecondaryIndexes ?? [];
  const old = there.find(({ IndexName = "", ...index }) => {
    const kept = wanted.get(IndexName);
    return kept === undefined || !isSame(index, IndexName, kept);
  });
  if (old !== undefined) {
    const Delete = { IndexName: old.IndexName };
    return {
      reason: `its index ${old.IndexName} is being deleted`,
      request: { GlobalSecondaryIndexUpdates: [{ Delete }] },
    };
  }
  const missing = [...wanted].find(([name]) => there.every(({ IndexName }) => IndexName !== name));
  if (missing === undefined) return null;
  const [name, index] = missing;
  const kept = [...wanted].filter(([other]) => there.some(({ IndexName }) => IndexName === other));
  return {
    reason: `its index ${name} is being filled`,
    request: {
      AttributeDefinitions: attributesOf(inputs, [
        ...[indexIn(inputs, "primaryIndex"), index],
        ...[...indexesIn(inputs, "localIndexes").values(), ...kept.map(([, other]) => other)],
      ]),
      GlobalSecondaryIndexUpdates: [{ Create: indexSchema(name, index) }],
    },
  };
}

type IndexThere = NonNullable<TableDescription["GlobalSecondaryIndexes"]>[number];

function isSame(there: Omit<IndexThere, "IndexName">, name: string, wanted: TableIndex): boolean {
  const { KeySchema, Projection } = indexSchema(name, wanted);
  const keys = (schema: IndexThere["KeySchema"]) =>
    (schema ?? []).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort();
  const fields = (list: readonly string[] | undefined) => [...(list ?? [])].sort();
  const described = (schema: IndexThere["KeySchema"], projection: IndexThere["Projection"]) =>
    JSON.stringify([
      keys(schema),
      projection?.ProjectionType ?? "ALL",
      fields(projection?.NonKeyAttributes),
    ]);
  return described(there.KeySchema, there.Projection) === described(KeySchema, Projection);
}
