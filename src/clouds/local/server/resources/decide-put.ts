import type { JsonObject } from "../../../../model/json.ts";
import type { PutResource } from "../../control-api.ts";
import {
  apiId,
  bucketArn,
  functionArn,
  LOCAL_TYPES,
  tableArn,
  userPoolClientId,
  userPoolOutputs,
} from "../../identity.ts";
import { Refusal } from "../control/refusal.ts";
import { REGISTRY_FORMAT, type ResourceRecord } from "../registry/record.ts";
import { checkSpec, SEALED_KEYS } from "./specs.ts";

/** What a put asks for, before anything is written. */
export interface PutDecision {
  readonly record: ResourceRecord;
  /** The parts of the spec to seal into the record. */
  readonly secret: JsonObject | null;
}

/** Whether the resource listens on a port of its own. */
export function needsPort(type: string): boolean {
  return type === LOCAL_TYPES.api || type === LOCAL_TYPES.functionUrl;
}

/** Whether a data service keeps the resource. */
export function isData(type: string): boolean {
  return IN_SERVICES.has(type);
}

const IN_SERVICES: ReadonlySet<string> = new Set([
  LOCAL_TYPES.bucket,
  LOCAL_TYPES.table,
  LOCAL_TYPES.userPool,
  LOCAL_TYPES.userPoolClient,
]);

/**
 * The record that a put leads to, without port and sealed parts. Pure.
 *
 * @throws Refusal when the spec is wrong, or the name is taken by another owner
 */
export function decidePut(
  key: { readonly type: string; readonly name: string },
  request: PutResource,
  existing: ResourceRecord | null,
): PutDecision {
  checkSpec(key.type, request.spec);
  checkOwner(key.name, request.tags, existing);
  const { open, secret } = splitSpec(key.type, request.spec);
  const record: ResourceRecord = {
    format: REGISTRY_FORMAT,
    type: key.type,
    name: key.name,
    status: isData(key.type) ? "making" : "ready",
    token: request.token,
    tags: request.tags,
    spec: open,
    sealed: null,
    outputs: outputsOf(key.type, key.name, existing?.port ?? null),
    port: existing?.port ?? null,
  };
  return { record, secret };
}

/** Outputs of a resource; those with a port are complete once it is known. */
export function outputsOf(type: string, name: string, port: number | null): JsonObject {
  switch (type) {
    case LOCAL_TYPES.function:
      return { name, arn: functionArn(name) };
    case LOCAL_TYPES.bucket:
      return { name, arn: bucketArn(name) };
    case LOCAL_TYPES.table:
      return { name, arn: tableArn(name) };
    case LOCAL_TYPES.userPool:
      return userPoolOutputs(name);
    case LOCAL_TYPES.userPoolClient:
      return { id: userPoolClientId(name) };
    case LOCAL_TYPES.api:
      return {
        id: apiId(name),
        ...(port === null ? {} : { port, url: `http://127.0.0.1:${port}` }),
      };
    case LOCAL_TYPES.functionUrl:
      // The slash at the end is how AWS writes a function's address, and not an API's.
      return {
        id: apiId(name),
        ...(port === null ? {} : { port, url: `http://127.0.0.1:${port}/` }),
      };
    default:
      return { name };
  }
}

/** A stage removed and made anew has another lineage; a rename keeps it. */
function checkOwner(
  name: string,
  tags: Readonly<Record<string, string>>,
  existing: ResourceRecord | null,
): void {
  const owner = existing?.tags["scrim:lineage"];
  if (owner === undefined || owner === tags["scrim:lineage"]) return;
  throw new Refusal(409, "LOCAL_RESOURCE_FOREIGN", `${name} belongs to another deployment`, {
    hint: "Remove the stage that made it, or use another name.",
    detail: { owner },
  });
}

function splitSpec(
  type: string,
  spec: JsonObject,
): { readonly open: JsonObject; readonly secret: JsonObject | null } {
  const sealed: readonly string[] = type === LOCAL_TYPES.function ? SEALED_KEYS : [];
  const entries = Object.entries(spec);
  const open = entries.filter(([key]) => !sealed.includes(key));
  const secret = entries.filter(([key]) => sealed.includes(key));
  return {
    open: Object.fromEntries(open),
    secret: secret.length === 0 ? null : Object.fromEntries(secret),
  };
}
