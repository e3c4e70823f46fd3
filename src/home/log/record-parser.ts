import type { JsonObject } from "../../model/json.ts";
import type { EpochStatus, LogRecord, Owner } from "../../model/record.ts";
import type { ResourceState, ResourceStatus } from "../../model/resource.ts";
import type { CloudIdentity, Intent, Removal, StageFacts } from "../../model/snapshot.ts";
import type { Urn } from "../../model/urn.ts";
import {
  FormError,
  flagAt,
  intAt,
  objectAt,
  objectOf,
  textAt,
  textsAt,
  type Unparsed,
  wordAt,
} from "./form.ts";

/** A record of a kind that this version does not know; a later version wrote it. */
export class UnknownKind extends Error {
  override readonly name = "UnknownKind";
}

const STATUSES: readonly ResourceStatus[] = ["live", "deposed", "retained", "tainted"];
const OPERATIONS: readonly Intent["operation"][] = ["create", "update", "delete"];
const REMOVALS: readonly Removal[] = ["remove", "retain", "retain-all"];
const ENDINGS: readonly EpochStatus[] = ["done", "failed", "interrupted", "forced"];

/**
 * Reads one record of a frame.
 *
 * @throws FormError when a part is missing or of the wrong type
 * @throws UnknownKind
 */
export function parseRecord(value: unknown): LogRecord {
  const object = objectOf(value, "record");
  const kind = textAt(object, "kind");
  switch (kind) {
    case "epoch-start":
      return parseStart(object);
    case "epoch-end":
      return parseEnd(object);
    case "beat":
      return { kind, at: textAt(object, "at") };
    case "facts":
      return { kind, facts: parseFacts(objectAt(object, "facts")) };
    case "intent":
      return { kind, intent: parseIntent(objectAt(object, "intent")) };
    case "outcome":
      return parseOutcome(object);
    case "resource":
      return { kind, state: parseState(objectAt(object, "state")) };
    case "forget":
      return { kind, urn: urnAt(object, "urn"), generation: intAt(object, "generation") };
    default:
      throw new UnknownKind(kind);
  }
}

/** Reads the start of an epoch on its own, as snapshots carry it. @throws FormError */
export function parseStart(object: Unparsed): LogRecord & { readonly kind: "epoch-start" } {
  return {
    kind: wordAt(object, "kind", ["epoch-start"]),
    epoch: intAt(object, "epoch"),
    owner: parseOwner(objectAt(object, "owner")),
    command: textAt(object, "command"),
    lineage: textAt(object, "lineage"),
    version: textAt(object, "version"),
    at: textAt(object, "at"),
  };
}

function parseEnd(object: Unparsed): LogRecord {
  const secrets = object["secrets"];
  return {
    kind: "epoch-end",
    status: wordAt(object, "status", ENDINGS),
    snapshot: intAt(object, "snapshot"),
    resources: intAt(object, "resources"),
    retained: intAt(object, "retained"),
    ...(secrets === undefined ? {} : { secrets: parseSecretSerials(secrets) }),
    at: textAt(object, "at"),
  };
}

function parseOutcome(object: Unparsed): LogRecord {
  const intent = textAt(object, "intent");
  const state = object["state"];
  if (state === undefined) return { kind: "outcome", intent };
  if (state === null) return { kind: "outcome", intent, state };
  return { kind: "outcome", intent, state: parseState(objectOf(state, "state")) };
}

function parseOwner(object: Unparsed): Owner {
  return {
    who: textAt(object, "who"),
    pid: intAt(object, "pid"),
    pidStart: textAt(object, "pidStart"),
    bootId: textAt(object, "bootId"),
    pidNamespace: textAt(object, "pidNamespace"),
  };
}

function parseFacts(object: Unparsed): StageFacts {
  return {
    identity: parseIdentity(objectAt(object, "identity")),
    removal: wordAt(object, "removal", REMOVALS),
    protect: flagAt(object, "protect"),
    outputs: jsonObjectAt(object, "outputs"),
    secrets: parseSecretSerials(object["secrets"]),
  };
}

function parseSecretSerials(value: unknown): StageFacts["secrets"] {
  if (value === null) return null;
  const object = objectOf(value, "secrets");
  return { stage: intAt(object, "stage"), fallback: intAt(object, "fallback") };
}

function parseIdentity(object: Unparsed): CloudIdentity {
  return {
    cloud: textAt(object, "cloud"),
    account: textAt(object, "account"),
    region: textAt(object, "region"),
  };
}

function parseIntent(object: Unparsed): Intent {
  return {
    id: textAt(object, "id"),
    operation: wordAt(object, "operation", OPERATIONS),
    urn: urnAt(object, "urn"),
    type: textAt(object, "type"),
    name: textAt(object, "name"),
    component: textAt(object, "component"),
    generation: intAt(object, "generation"),
    physicalName: textAt(object, "physicalName"),
    token: textAt(object, "token"),
    inputsHash: textAt(object, "inputsHash"),
    dependsOn: textsAt<Urn>(object, "dependsOn"),
    at: textAt(object, "at"),
  };
}

function parseState(object: Unparsed): ResourceState {
  return {
    urn: urnAt(object, "urn"),
    type: textAt(object, "type"),
    name: textAt(object, "name"),
    component: textAt(object, "component"),
    status: wordAt(object, "status", STATUSES),
    generation: intAt(object, "generation"),
    ...(object["bornAs"] === undefined ? {} : { bornAs: urnAt(object, "bornAs") }),
    physicalName: textAt(object, "physicalName"),
    id: textAt(object, "id"),
    inputs: object["inputs"] === null ? null : jsonObjectAt(object, "inputs"),
    outputs: jsonObjectAt(object, "outputs"),
    dependsOn: textsAt<Urn>(object, "dependsOn"),
    createdAt: textAt(object, "createdAt"),
    updatedAt: textAt(object, "updatedAt"),
  };
}

function urnAt(object: Unparsed, key: string): Urn {
  const text = textAt(object, key);
  if (text.indexOf("::") < 1) throw new FormError(`its ${key} is not the name of a resource`);
  return text as Urn;
}

/** Whatever JSON.parse gave is JSON, so an object of it is taken as it is. */
function jsonObjectAt(object: Unparsed, key: string): JsonObject {
  return objectAt(object, key) as JsonObject;
}
