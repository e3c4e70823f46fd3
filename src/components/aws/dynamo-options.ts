import type { Diagnostic } from "../../model/diagnostic.ts";
import { aliases } from "../aliases.ts";
import type { DynamoNode, TableIndex } from "../node.ts";
import {
  list,
  type Members,
  object,
  optional,
  type Parse,
  record,
  throwAll,
} from "../options/parse.ts";
import type { Place } from "../options/place.ts";
import { boolean, oneOf, text } from "../options/scalars.ts";
import { didYouMean } from "../options/suggest.ts";
import { type Transform, transforms } from "../transform.ts";

/** All attributes, only keys, or the named ones. */
export type Projection = "all" | "keys-only" | string[];

export interface PrimaryIndexArgs {
  /** Name of a field. */
  hashKey: string;
  /** Name of a field. */
  rangeKey?: string;
}

export interface GlobalIndexArgs extends PrimaryIndexArgs {
  /** @default "all" */
  projection?: Projection;
}

export interface LocalIndexArgs {
  /** Name of a field. */
  rangeKey: string;
  /** @default "all" */
  projection?: Projection;
}

export interface DynamoArgs {
  /** Types of the fields that keys are made of; other fields need no declaration. */
  fields: Record<string, "string" | "number" | "binary">;
  primaryIndex: PrimaryIndexArgs;
  globalIndexes?: Record<string, GlobalIndexArgs>;
  localIndexes?: Record<string, LocalIndexArgs>;
  /** Field that holds when an item expires, in seconds since 1970. */
  ttl?: string;
  /** What a stream of changes holds. */
  stream?: "keys-only" | "new-image" | "old-image" | "new-and-old-images";
  /** Lets nobody delete the table, not even by other means. @default false */
  deletionProtection?: boolean;
  /** Changes what the cloud is asked for. */
  transform?: DynamoTransforms;
  /** Earlier names of this component. */
  aliases?: string[];
}

export interface DynamoTransforms {
  table?: Transform;
}

const projection: Parse<TableIndex["projection"]> = (value, at) =>
  Array.isArray(value) ? list(text)(value, at) : oneOf("all", "keys-only")(value, at);

const indexKeys = { hashKey: text, rangeKey: optional(text, null) };

/** DynamoDB's form of the name of an index. */
const indexName = (name: string, at: Place): void => {
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) {
    throw at.invalid(name, "3 to 255 letters, digits, underscores, dots and hyphens");
  }
};

const globalIndex = object({
  ...indexKeys,
  projection: optional(projection, "all"),
} satisfies Members<GlobalIndexArgs>);

const localIndex = object({
  rangeKey: text,
  projection: optional(projection, "all"),
} satisfies Members<LocalIndexArgs>);

const parse = object({
  fields: record(oneOf("string", "number", "binary")),
  primaryIndex: object(indexKeys satisfies Members<PrimaryIndexArgs>),
  globalIndexes: optional(record(globalIndex, indexName), {}),
  localIndexes: optional(record(localIndex, indexName), {}),
  ttl: optional(text, null),
  stream: optional(oneOf("keys-only", "new-image", "old-image", "new-and-old-images"), null),
  deletionProtection: optional(boolean, false),
  transform: transforms("table"),
  aliases,
} satisfies Members<DynamoArgs>);

type DynamoOptions = Omit<DynamoNode, "kind" | "name" | "source">;

/** The options of `scrim.aws.Dynamo`, with every key of every index checked against the fields. */
export const dynamoOptions: Parse<DynamoOptions> = (value, at) => {
  const parsed = parse(value, at);
  const primaryIndex = { ...parsed.primaryIndex, projection: "all" } as const;
  const localIndexes = Object.fromEntries(
    Object.entries(parsed.localIndexes).map(([name, index]) => [
      name,
      { ...index, hashKey: primaryIndex.hashKey },
    ]),
  );
  const options = { ...parsed, primaryIndex, localIndexes };
  checkKeys(options, at);
  return options;
};

function checkKeys(options: DynamoOptions, at: Place): void {
  const fields = Object.keys(options.fields);
  const used = new Set<string>();
  const problems: Diagnostic[] = [];
  const check = (index: TableIndex, place: Place): void => {
    for (const part of ["hashKey", "rangeKey"] as const) {
      const field = index[part];
      if (field === null) continue;
      used.add(field);
      if (!fields.includes(field)) problems.push(unknownField(field, fields, place.key(part)));
    }
    if (index.hashKey === index.rangeKey) problems.push(sameKey(index.hashKey, place));
  };
  check(options.primaryIndex, at.key("primaryIndex"));
  for (const group of ["globalIndexes", "localIndexes"] as const) {
    for (const [name, index] of Object.entries(options[group])) {
      check(index, at.key(group).key(name));
    }
  }
  for (const field of fields.filter((name) => !used.has(name))) {
    problems.push(unusedField(field, at.key("fields").key(field)));
  }
  throwAll([...problems, ...localIndexProblems(options, at)]);
}

function localIndexProblems(options: DynamoOptions, at: Place): readonly Diagnostic[] {
  if (Object.keys(options.localIndexes).length === 0) return [];
  if (options.primaryIndex.rangeKey !== null) return [];
  const place = at.key("localIndexes");
  return place.problem("OPTION_INVALID", `${place} needs a \`rangeKey\` in \`primaryIndex\``, {
    why: "A local index sorts the items of one hash key in another way.",
    hint: "Add the range key, or use `globalIndexes`.",
  }).diagnostics;
}

function unknownField(field: string, fields: readonly string[], at: Place): Diagnostic {
  const message = `${at} names the field ${JSON.stringify(field)}, which is not among \`fields\``;
  const hint = didYouMean(field, fields, "fields");
  return at.problem("OPTION_INVALID", message, { hint }).diagnostics[0];
}

function sameKey(field: string, at: Place): Diagnostic {
  const message = `${at} uses the field ${JSON.stringify(field)} as hash key and as range key`;
  return at.problem("OPTION_INVALID", message).diagnostics[0];
}

function unusedField(field: string, at: Place): Diagnostic {
  return at.problem("OPTION_INVALID", `${at} is part of no index`, {
    why: "DynamoDB takes the types of key fields only; other fields need no declaration.",
    hint: `Remove \`${field}\` from \`fields\`, or use it in an index.`,
  }).diagnostics[0];
}
