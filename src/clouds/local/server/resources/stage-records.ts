import { type JsonObject, jsonEquals } from "../../../../model/json.ts";
import type { PutResource } from "../../control-api.ts";
import type { ServiceInstance } from "../../services/service.ts";
import { Refusal } from "../control/refusal.ts";
import { type ResourceRecord, recordKey } from "../registry/record.ts";
import { fileOf, readRecords, removeRecord, writeRecord } from "../registry/record-files.ts";
import type { SealedPlace, Sealing } from "../registry/sealing.ts";
import type { CodeStore } from "./code-store.ts";
import { deleteDataThing, makeDataThing, undoDataThing } from "./data-things.ts";
import { decidePut, isData, needsPort, outputsOf } from "./decide-put.ts";
import type { StageDependencies } from "./stage-dependencies.ts";

/** A resource within a stage. */
export type ResourceName = Pick<ResourceRecord, "type" | "name">;

/**
 * The records of one stage, and the buckets and tables behind them. Calls for one resource must not
 * overlap.
 */
export interface StageRecords {
  all(): readonly ResourceRecord[];
  get(key: ResourceName): ResourceRecord | null;
  /** Files of the registry that are no record. */
  unreadable(): readonly string[];
  put(key: ResourceName, request: PutResource): Promise<void>;
  delete(key: ResourceName): Promise<void>;
  /** Gives a resource another port, and writes it down. */
  movePort(found: ResourceRecord): Promise<void>;
  /** Does the halves that a crash left undone; what still fails is logged and stays as it is. */
  finishAll(): Promise<void>;
  instance(type: string): Promise<ServiceInstance>;
}

/**
 * Reads a stage's registry.
 *
 * A bucket or table that is in the service and not in the registry is left alone: our own crashes
 * cannot cause it, so the registry has lost something, and its data may be all that is left.
 */
export async function openStageRecords(
  deps: StageDependencies,
  code: CodeStore,
): Promise<StageRecords> {
  const { folders, stageKey, ports } = deps;
  const read = await readRecords(folders.registry);
  const records = new Map(read.records.map((record) => [recordKey(record), record]));
  const unreadable = new Set(read.unreadable);
  for (const { port } of records.values()) if (port !== null) ports.take(port);

  const instance = async (type: string) => (await deps.services()).instance(stageKey, type);

  async function put(key: ResourceName, request: PutResource): Promise<void> {
    const before = await presentRecord(key);
    const { record, secret } = decidePut(key, request, before);
    await requireCode(record, code);
    const sealed = secret === null ? null : await seal(key, secret, before);
    const numbered = await withPort({ ...record, sealed }, deps);
    await writeNumbered(numbered, before);
    unreadable.delete(fileOf(key));
    records.set(recordKey(key), numbered);
    if (isData(key.type)) await makeThing(numbered, before);
  }

  async function makeThing(record: ResourceRecord, before: ResourceRecord | null): Promise<void> {
    const service = await instance(record.type);
    try {
      records.set(recordKey(record), await makeDataThing(service, folders, record));
    } catch (error) {
      const left = await undoDataThing(service, folders, record, before);
      if (left === null) records.delete(recordKey(record));
      else records.set(recordKey(record), left);
      throw error;
    }
  }

  /**
   * The same text for the same content, so that a repeated put changes nothing for running
   * instances.
   */
  async function seal(key: ResourceName, secret: JsonObject, before: ResourceRecord | null) {
    const place = { stageKey, type: key.type, name: key.name };
    const sealing = await deps.sealing();
    const old = before?.sealed ?? null;
    return old !== null && holds(sealing, place, old, secret) ? old : sealing.seal(place, secret);
  }

  /** The record of a resource that exists; one that was being deleted is deleted first. */
  async function presentRecord(key: ResourceName): Promise<ResourceRecord | null> {
    const found = records.get(recordKey(key)) ?? null;
    if (found?.status !== "deleting") return found;
    await finish(found);
    return null;
  }

  async function writeNumbered(record: ResourceRecord, before: ResourceRecord | null) {
    try {
      await writeRecord(folders.registry, record);
    } catch (error) {
      if (record.port !== null && record.port !== before?.port) ports.release(record.port);
      throw error;
    }
  }

  async function remove(key: ResourceName): Promise<void> {
    const found = records.get(recordKey(key));
    if (found === undefined && !unreadable.has(fileOf(key))) return;
    if (isData(key.type)) {
      const service = await instance(key.type);
      if (found === undefined) await service.delete(key.type, key.name);
      else await deleteDataThing(service, folders, found);
    }
    await removeRecord(folders.registry, key);
    unreadable.delete(fileOf(key));
    records.delete(recordKey(key));
    if (found !== undefined && found.port !== null) ports.release(found.port);
  }

  async function finish(found: ResourceRecord): Promise<void> {
    if (found.status === "making") return makeThing(found, found);
    await deleteDataThing(await instance(found.type), folders, found);
    records.delete(recordKey(found));
  }

  async function finishAll(): Promise<void> {
    for (const found of [...records.values()].filter(({ status }) => status !== "ready")) {
      try {
        await finish(found);
      } catch (error) {
        deps.log(`${stageKey}: ${recordKey(found)} is still ${found.status}: ${error}`);
      }
    }
  }

  return {
    all: () => [...records.values()],
    get: (key) => records.get(recordKey(key)) ?? null,
    unreadable: () => [...unreadable],
    put,
    delete: remove,
    movePort: async (found) => {
      // The old port stays marked as taken while it is another program's; the next start looks at
      // it anew.
      const moved = await withPort({ ...found, port: null }, deps);
      await writeRecord(folders.registry, moved);
      records.set(recordKey(found), moved);
    },
    finishAll,
    instance,
  };
}

/** False also for what cannot be decrypted: the put replaces it. */
function holds(sealing: Sealing, place: SealedPlace, sealed: string, content: JsonObject): boolean {
  try {
    return jsonEquals(sealing.unseal(place, sealed), content);
  } catch {
    return false;
  }
}

async function withPort(record: ResourceRecord, deps: StageDependencies): Promise<ResourceRecord> {
  if (!needsPort(record.type) || record.port !== null) return record;
  const logicalName = String(record.spec["name"]);
  const port = await deps.ports.pick([deps.homeId, deps.app, deps.stage, logicalName]);
  return { ...record, port, outputs: outputsOf(record.type, record.name, port) };
}

async function requireCode(record: ResourceRecord, code: CodeStore): Promise<void> {
  const hash = record.spec["bundle"];
  if (typeof hash !== "string" || (await code.has(hash))) return;
  throw new Refusal(409, "LOCAL_CODE_MISSING", `The code ${hash} of ${record.name} is not here`, {
    hint: "Upload it first.",
  });
}
