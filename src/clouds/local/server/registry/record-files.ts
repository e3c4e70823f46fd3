import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { encodeName } from "../../../../model/stage-key.ts";
import {
  hasCode,
  makeFolder,
  removeDurably,
  syncFolder,
  TEMPORARY_ENDING,
  writeDurably,
} from "../../durable-file.ts";
import { listFolder } from "../../list-folder.ts";
import { parseRecord, type ResourceRecord } from "./record.ts";

/** What was found in one stage's registry folder. */
export interface RecordsRead {
  readonly records: readonly ResourceRecord[];
  /**
   * Files that are no record; they stay where they are, and nothing of their stage is deleted by
   * itself.
   */
  readonly unreadable: readonly string[];
}

/** Reads a stage's records by name of their files, and sweeps what an interrupted write left. */
export async function readRecords(folder: string): Promise<RecordsRead> {
  const names = await listFolder(folder);
  const torn = names.filter((name) => name.endsWith(TEMPORARY_ENDING));
  await Promise.all(torn.map((name) => rm(join(folder, name), { force: true })));
  const files = names.filter((name) => name.endsWith(".json")).sort();
  const read = await Promise.all(files.map((file) => readRecord(join(folder, file))));
  return {
    records: read.filter((record) => record !== null),
    unreadable: files.filter((_, index) => read[index] === null),
  };
}

/** Writes a record; durable when this resolves. */
export async function writeRecord(folder: string, record: ResourceRecord): Promise<void> {
  const existed = await makeFolderKnown(folder);
  await writeDurably(join(folder, fileOf(record)), `${JSON.stringify(record)}\n`);
  if (!existed) await syncFolder(join(folder, ".."));
}

/** Deletes a record for good. */
export async function removeRecord(
  folder: string,
  record: Pick<ResourceRecord, "type" | "name">,
): Promise<void> {
  await removeDurably(join(folder, fileOf(record)));
}

async function readRecord(file: string): Promise<ResourceRecord | null> {
  try {
    return parseRecord(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function makeFolderKnown(folder: string): Promise<boolean> {
  try {
    await readdir(folder);
    return true;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    await makeFolder(folder);
    return false;
  }
}

/** Name of a record's file. Types hold a colon, which Windows refuses in names of files. */
export function fileOf(record: Pick<ResourceRecord, "type" | "name">): string {
  return `${record.type.replace(":", "-")}.${encodeName("s", record.name)}.json`;
}
