import type { JsonObject } from "../../../../model/json.ts";

/**
 * Format of a record and of the registry as a whole. Grows by one with each migration in
 * `migrations.ts`.
 */
export const REGISTRY_FORMAT = 1;

/**
 * One resource the server was asked for, written before the thing is made. `making`: the thing may
 * not exist yet. `deleting`: the thing may still exist. Whatever a crash leaves is finished at the
 * next start.
 */
export interface ResourceRecord {
  readonly format: typeof REGISTRY_FORMAT;
  readonly type: string;
  /** Physical name; with `type` the key of a record within its stage. */
  readonly name: string;
  readonly status: "making" | "ready" | "deleting";
  readonly token: string;
  readonly tags: Readonly<Record<string, string>>;
  /** What was asked for, without what is sealed. */
  readonly spec: JsonObject;
  /** Encrypted JSON of the parts of the spec that may hold secrets; null when there are none. */
  readonly sealed: string | null;
  readonly outputs: JsonObject;
  /** The port it listens on; null for what has none. */
  readonly port: number | null;
}

/** Within a stage. */
export type RecordKey = `${string}/${string}`;

export function recordKey(record: Pick<ResourceRecord, "type" | "name">): RecordKey {
  return `${record.type}/${record.name}`;
}

/** Checks a record read from disk; null when it is not one of this format. */
export function parseRecord(value: unknown): ResourceRecord | null {
  if (!isObject(value)) return null;
  const { format, type, name, status, token, tags, spec, sealed, outputs, port } = value;
  if (format !== REGISTRY_FORMAT) return null;
  if (typeof type !== "string" || typeof name !== "string" || typeof token !== "string")
    return null;
  if (status !== "making" && status !== "ready" && status !== "deleting") return null;
  if (!isObject(spec) || !isObject(outputs) || !isStrings(tags)) return null;
  if (sealed !== null && typeof sealed !== "string") return null;
  if (port !== null && !Number.isInteger(port)) return null;
  return {
    format: REGISTRY_FORMAT,
    type,
    name,
    status,
    token,
    tags,
    spec: spec as JsonObject,
    sealed,
    outputs: outputs as JsonObject,
    port: port as number | null,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((item) => typeof item === "string");
}
