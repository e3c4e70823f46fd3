import { cp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, fail } from "../../../../model/diagnostic.ts";
import { hasCode, makeFolder, syncFolder, writeDurably } from "../../durable-file.ts";
import { type LocalFolders, parseStageKey } from "../../folders.ts";
import { listFolder } from "../../list-folder.ts";
import { REGISTRY_FORMAT } from "./record.ts";

/**
 * Turns a record of one format into one of the next. Pure. The index is the format it starts from.
 */
export type Migration = (record: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** From format n to n+1, for every older format there was. The first format is 1. */
export const MIGRATIONS: ReadonlyMap<number, Migration> = new Map();

/**
 * Brings the registry of a home to the present format: copies every stage's registry to `backups/`
 * first, then raises the number (from here on an older version refuses this home), then rewrites
 * record by record. Each record carries its own format, so an interrupted migration goes on at the
 * next start.
 *
 * @returns the folder of the backup, or null when there was nothing to migrate
 * @throws DiagnosticError `LOCAL_REGISTRY_NEWER` (exit 2) when a newer version has written it
 */
export async function migrateRegistry(
  folders: LocalFolders,
  target: { readonly format: number; readonly migrations: ReadonlyMap<number, Migration> } = {
    format: REGISTRY_FORMAT,
    migrations: MIGRATIONS,
  },
): Promise<string | null> {
  const format = await readFormat(folders);
  if (format !== null && format > target.format) throw tooNew(folders, format, target.format);
  const old = await oldRecords(folders, target.format);
  const backup = old.length === 0 ? null : await backUp(folders, old);
  if (format !== target.format) {
    await writeDurably(folders.format, `${JSON.stringify({ format: target.format })}\n`);
  }
  for (const { file, record } of old) {
    await writeDurably(file, `${JSON.stringify(migrated(record, target))}\n`);
  }
  return backup;
}

interface OldRecord {
  readonly stageKey: string;
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

async function oldRecords(folders: LocalFolders, format: number): Promise<readonly OldRecord[]> {
  const found: OldRecord[] = [];
  for (const stageKey of await stageKeys(folders)) {
    const folder = folders.stage(stageKey).registry;
    for (const name of (await listFolder(folder)).filter((entry) => entry.endsWith(".json"))) {
      const record = parseObject(await readFile(join(folder, name), "utf8"));
      const own = record?.["format"];
      if (record !== null && typeof own === "number" && own < format) {
        found.push({ stageKey, file: join(folder, name), record });
      }
    }
  }
  return found;
}

/** Every stage that has a folder in the home. */
export async function stageKeys(folders: LocalFolders): Promise<readonly string[]> {
  const names = await listFolder(folders.root);
  return names.filter((name) => parseStageKey(name) !== null).sort();
}

async function backUp(folders: LocalFolders, old: readonly OldRecord[]): Promise<string> {
  await makeFolder(folders.backups);
  const number = (await readdir(folders.backups)).length + 1;
  const backup = join(folders.backups, `registry-${String(number).padStart(4, "0")}`);
  const unfinished = `${backup}.part`;
  await rm(unfinished, { recursive: true, force: true });
  for (const stageKey of new Set(old.map((record) => record.stageKey))) {
    await cp(folders.stage(stageKey).registry, join(unfinished, stageKey), { recursive: true });
  }
  await rename(unfinished, backup);
  await syncFolder(folders.backups);
  return backup;
}

function migrated(
  record: Readonly<Record<string, unknown>>,
  target: { readonly format: number; readonly migrations: ReadonlyMap<number, Migration> },
): Readonly<Record<string, unknown>> {
  let current = record;
  for (let from = Number(record["format"]); from < target.format; from += 1) {
    const step = target.migrations.get(from);
    if (step === undefined) throw new Error(`no migration from registry format ${from}`);
    current = { ...step(current), format: from + 1 };
  }
  return current;
}

async function readFormat(folders: LocalFolders): Promise<number | null> {
  try {
    const format = parseObject(await readFile(folders.format, "utf8"))?.["format"];
    if (typeof format === "number") return format;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
  throw fail("LOCAL_REGISTRY_UNREADABLE", `${folders.format} does not hold a format number`, {
    why: "The file is damaged, so it is not known which version wrote the registry beside it.",
    hint: `Restore the file, for example {"format": ${REGISTRY_FORMAT}}.`,
    exit: EXIT.home,
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function tooNew(folders: LocalFolders, found: number, own: number): Error {
  return fail(
    "LOCAL_REGISTRY_NEWER",
    `The local cloud's registry has format ${found}; this version knows formats up to ${own}`,
    {
      why: `A newer version of Scrim has used ${folders.root}.`,
      hint: "Use that version or a later one.",
      exit: EXIT.usage,
    },
  );
}
