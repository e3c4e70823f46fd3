import type { StageFolders } from "../../folders.ts";
import type { ServiceInstance } from "../../services/service.ts";
import { Refusal } from "../control/refusal.ts";
import type { ResourceRecord } from "../registry/record.ts";
import { removeRecord, writeRecord } from "../registry/record-files.ts";

/**
 * Makes or changes the bucket or table of a record that is already written as `making`.
 *
 * @returns the record as `ready`, written
 */
export async function makeDataThing(
  service: ServiceInstance,
  folders: StageFolders,
  record: ResourceRecord,
): Promise<ResourceRecord> {
  const outputs = await service.put(record.type, record.name, record.spec);
  const ready = { ...record, status: "ready" as const, outputs: { ...outputs, ...record.outputs } };
  await writeRecord(folders.registry, ready);
  return ready;
}

/**
 * Takes a record back whose thing the service refused to make or change. Deletes nothing that may
 * hold data.
 *
 * @param before the record that the refused one replaced
 * @returns the record that now stands, or null when none does
 */
export async function undoDataThing(
  service: ServiceInstance,
  folders: StageFolders,
  record: ResourceRecord,
  before: ResourceRecord | null,
): Promise<ResourceRecord | null> {
  if (before !== null) {
    await writeRecord(folders.registry, before);
    return before;
  }
  const names = await service.names(record.type);
  if (names.includes(record.name)) return record;
  await removeRecord(folders.registry, record);
  return null;
}

/**
 * Deletes a bucket or table with all its data. The record says `deleting` first, so that a crash
 * cannot forget it.
 */
export async function deleteDataThing(
  service: ServiceInstance,
  folders: StageFolders,
  record: ResourceRecord,
): Promise<void> {
  if (record.spec["deletionProtection"] === true) {
    throw new Refusal(
      409,
      "LOCAL_TABLE_PROTECTED",
      `${record.name} has deletion protection and was not deleted`,
      { hint: "Deploy it with deletionProtection: false first." },
    );
  }
  await writeRecord(folders.registry, { ...record, status: "deleting" });
  await service.delete(record.type, record.name);
  await removeRecord(folders.registry, record);
}
