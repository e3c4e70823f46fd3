import type { DynamoDBClient, TableDescription } from "@aws-sdk/client-dynamodb";
import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Changed, type Found, type Wait } from "../aws-resource.ts";
import { unless } from "../has-name.ts";
import { booleanIn, stringOrNullIn } from "../input-parsers.ts";
import { type Tags, tagList, tagsFor, tagsIn } from "../ownership.ts";
import { arnOf } from "../place.ts";
import { keysThatReplace } from "./keys-that-replace.ts";
import { attributesOf, indexesIn, indexIn, indexSchema, keySchema } from "./table-schema.ts";
import { nextTableStep, streamIn } from "./table-steps.ts";

const ABSENT = "ResourceNotFoundException";
/** An index of a large table takes hours to fill. */
const CHANGING: Omit<Wait, "reason"> = { afterMs: 1_000, lastsMs: 12 * 3_600_000 };

/**
 * `aws:table`: inputs fields, primaryIndex, globalIndexes, localIndexes, deletionProtection, ttl, stream; outputs
 * name, arn. Paid by the request. Deleting it deletes its items.
 */
export function tableHandler(clients: AwsClients): ResourceHandler {
  const outputsOf = (name: string) => ({ name, arn: arnOf(clients, "dynamodb", `table/${name}`) });
  const foundOf = (name: string, tags: Tags, table: TableDescription): Found<TableDescription> => ({
    ...{ id: name, tags, outputs: outputsOf(name) },
    ...{ thing: table, pending: pendingOf(table) },
    inputs: { deletionProtection: table.DeletionProtectionEnabled ?? false },
  });
  return awsResource<TableDescription>({
    type: AWS_TYPES.table,
    recovery: "unique-name",
    data: true,
    // Longer names are allowed, but this keeps them readable.
    naming: { maxLength: 128, lowerCase: false },
    consistencyWindowMs: 5_000,
    replaces: keysThatReplace,
    predict: outputsOf,
    find: async ({ physicalName, signal }, id) => {
      const { DescribeTableCommand, ListTagsOfResourceCommand } = await sdk();
      const name = id ?? physicalName;
      const dynamodb = await clients.dynamodb();
      const described = await unless(
        dynamodb.send(new DescribeTableCommand({ TableName: name }), { abortSignal: signal }),
        ABSENT,
      );
      if (described?.Table === undefined) return null;
      const tagged = await unless(
        dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn: outputsOf(name).arn }), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      // A table that is just being made or deleted is there without them; whose it is must not be guessed.
      if (tagged === null) throw new Error(`The tags of table ${name} cannot be read yet`);
      return foundOf(name, tagsIn(tagged.Tags), described.Table);
    },
    make: async ({ physicalName, tags, signal }, inputs) => {
      const { CreateTableCommand } = await sdk();
      const request = {
        TableName: physicalName,
        ...schemaOf(inputs),
        BillingMode: "PAY_PER_REQUEST" as const,
        Tags: tagList(tags),
      };
      const made = await unless(
        (await clients.dynamodb()).send(new CreateTableCommand(request), { abortSignal: signal }),
        "ResourceInUseException",
      );
      if (made === null) return null;
      return foundOf(physicalName, tagsFor(tags), made.TableDescription ?? {});
    },
    converge: async (context, { id, thing }, inputs, changed) => {
      const dynamodb = await clients.dynamodb();
      const step = nextTableStep(thing, inputs);
      if (step === null) return putTtl(dynamodb, id, context, inputs, changed);
      const { UpdateTableCommand } = await sdk();
      const request = { TableName: id, ...step.request };
      await dynamodb.send(new UpdateTableCommand(request), { abortSignal: context.signal });
      changed();
      return { reason: step.reason, ...CHANGING };
    },
    erase: async ({ signal }, { id, thing }, changed) => {
      if (thing.TableStatus === "DELETING") return null;
      const { DeleteTableCommand } = await sdk();
      await unless(
        (await clients.dynamodb()).send(new DeleteTableCommand({ TableName: id }), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      changed();
      return null;
    },
  });
}

function sdk() {
  return import("@aws-sdk/client-dynamodb");
}

function schemaOf(inputs: Inputs) {
  const primary = indexIn(inputs, "primaryIndex");
  const globals = indexesIn(inputs, "globalIndexes");
  const locals = indexesIn(inputs, "localIndexes");
  const stream = streamIn(inputs);
  const schemas = (indexes: typeof globals) =>
    [...indexes].map(([name, index]) => indexSchema(name, index));
  return {
    KeySchema: keySchema(primary),
    AttributeDefinitions: attributesOf(inputs, [primary, ...globals.values(), ...locals.values()]),
    DeletionProtectionEnabled: booleanIn(inputs, "deletionProtection"),
    ...(globals.size === 0 ? {} : { GlobalSecondaryIndexes: schemas(globals) }),
    ...(locals.size === 0 ? {} : { LocalSecondaryIndexes: schemas(locals) }),
    ...(stream === null
      ? {}
      : { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
  };
}

/** The attribute that says when an item expires; one that is replaced is turned off first. */
async function putTtl(
  dynamodb: DynamoDBClient,
  TableName: string,
  { signal }: HandlerContext,
  inputs: Inputs,
  changed: Changed,
): Promise<Wait | null> {
  const { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } = await sdk();
  const answer = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }), {
    abortSignal: signal,
  });
  const { TimeToLiveStatus: status = "DISABLED", AttributeName: there = "" } =
    answer.TimeToLiveDescription ?? {};
  const isOn = status === "ENABLED" || status === "ENABLING";
  const wanted = stringOrNullIn(inputs, "ttl");
  if (isOn ? there === wanted : wanted === null) return null;
  const TimeToLiveSpecification = isOn
    ? { Enabled: false, AttributeName: there }
    : { Enabled: true, AttributeName: wanted ?? "" };
  const request = { TableName, TimeToLiveSpecification };
  await dynamodb.send(new UpdateTimeToLiveCommand(request), { abortSignal: signal });
  changed();
  if (!isOn || wanted === null) return null;
  return { reason: `expiry by ${there} is being turned off`, ...CHANGING };
}

function pendingOf({ TableStatus, GlobalSecondaryIndexes = [] }: TableDescription): string | null {
  if (TableStatus !== undefined && TableStatus !== "ACTIVE") {
    return `the table is ${TableStatus.toLowerCase()}`;
  }
  const index = GlobalSecondaryIndexes.find(
    ({ IndexStatus }) => IndexStatus !== undefined && IndexStatus !== "ACTIVE",
  );
  if (index === undefined) return null;
  return `its index ${index.IndexName} is ${(index.IndexStatus ?? "").toLowerCase()}`;
}
