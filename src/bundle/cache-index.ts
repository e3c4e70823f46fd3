import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { BundleRecord } from "./bundle-record.ts";
import { INDEX_NAME, type StoredZip, writeFileAtomically } from "./bundle-store.ts";
import type { FileVersion } from "./file-ledger.ts";

/** Grows whenever {@link IndexBody} changes; an index of another format is as good as none. */
const FORMAT = 1;

/** What the index file holds. Files and folders stand once; records name them by position. */
interface IndexBody {
  readonly files: readonly (readonly [string, string, number, number, number])[];
  readonly folders: readonly (readonly [string, readonly string[], string])[];
  readonly records: readonly (readonly [string, RecordBody])[];
}

interface RecordBody {
  readonly inputs: readonly number[];
  readonly folders: readonly number[];
  readonly zip: StoredZip | null;
  readonly exports: readonly string[];
  readonly exportsOpen: boolean;
  readonly warnings: readonly Diagnostic[];
  readonly usedDayMs: number;
}

/**
 * Reads `<cache>/bundles/index`: a line with format and checksum, then JSON. Anything wrong with it makes an empty index,
 * and everything is built anew.
 */
export function readIndex(projectRoot: string, cacheFolder: string): Map<string, BundleRecord> {
  let text: string;
  try {
    text = readFileSync(indexFile(cacheFolder), "utf8");
  } catch {
    return new Map();
  }
  const end = text.indexOf("\n");
  const json = text.slice(end + 1);
  if (text.slice(0, end) !== heading(json)) return new Map();
  const body = JSON.parse(json) as IndexBody; // The checksum says that we wrote it.
  const files = body.files.map(([path, hash, size, mtimeMs, ctimeMs]): FileVersion => {
    return { path: resolve(projectRoot, path), hash, size, mtimeMs, ctimeMs };
  });
  const folders = body.folders.map(([folder, stems, names]) => {
    return { folder: resolve(projectRoot, folder), stems, names };
  });
  return new Map(
    body.records.map(([key, record]) => [
      key,
      { ...record, inputs: pick(files, record.inputs), folders: pick(folders, record.folders) },
    ]),
  );
}

function pick<T>(all: readonly T[], positions: readonly number[]): readonly T[] {
  return positions.flatMap((position) => all[position] ?? []);
}

/** @throws DiagnosticError `CACHE_UNWRITABLE` (exit 1) */
export function writeIndex(
  projectRoot: string,
  cacheFolder: string,
  records: ReadonlyMap<string, BundleRecord>,
): void {
  const shorten = (path: string) => relative(projectRoot, path).split(sep).join("/");
  const files = new Table<FileVersion>((file) => file);
  const folders = new Table<BundleRecord["folders"][number]>((view) => JSON.stringify(view));
  const bodies = [...records].map(([key, record]): readonly [string, RecordBody] => {
    const inputs = record.inputs.map((file) => files.position(file));
    const views = record.folders.map((view) => folders.position(view));
    return [key, { ...record, inputs, folders: views }];
  });
  const body: IndexBody = {
    files: files.items.map((file) => {
      return [shorten(file.path), file.hash, file.size, file.mtimeMs, file.ctimeMs];
    }),
    folders: folders.items.map(({ folder, stems, names }) => [shorten(folder), stems, names]),
    records: bodies,
  };
  const json = JSON.stringify(body);
  writeFileAtomically(indexFile(cacheFolder), `${heading(json)}\n${json}`);
}

/** Items in the order they first came; equal keys are one item. */
class Table<T> {
  readonly items: T[] = [];
  readonly #positions = new Map<unknown, number>();
  readonly #keyOf: (item: T) => unknown;

  constructor(keyOf: (item: T) => unknown) {
    this.#keyOf = keyOf;
  }

  position(item: T): number {
    const key = this.#keyOf(item);
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.items.length);
    return this.items.push(item) - 1;
  }
}

function indexFile(cacheFolder: string): string {
  return join(cacheFolder, "bundles", INDEX_NAME);
}

function heading(json: string): string {
  return `scrim-bundles ${FORMAT} ${createHash("sha256").update(json).digest("hex")}`;
}
