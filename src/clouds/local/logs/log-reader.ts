import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../durable-file.ts";
import { listFolder } from "../list-folder.ts";

/** Reads a stage's log files bit by bit. */
export interface LogReader {
  /** Lines that were completed since the last call, oldest file first. */
  newLines(): AsyncIterable<string>;
}

interface LogFile {
  readonly path: string;
  /** Stays the same when the file is renamed by rotation. */
  readonly identity: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** Of a rotated file; the highest is the newest. Infinite for the one that is written to. */
  readonly number: number;
}

/** Read at once; a line longer than this is put together from several reads. */
const CHUNK_BYTES = 64 * 1024;

/** @param sinceMs rotated files that were last written before it are not read; null reads all */
export function createLogReader(folder: string, sinceMs: number | null): LogReader {
  /** By identity: how far each file was read, always behind the end of a line. */
  let offsets: ReadonlyMap<string, number> = new Map();
  return {
    newLines: async function* () {
      const files = await logFiles(folder);
      const next = new Map<string, number>();
      for (const file of files) next.set(file.identity, startOf(file, offsets));
      offsets = next;
      for (const file of files) {
        const from = next.get(file.identity) ?? 0;
        if (file.size <= from || isTooOld(file, sinceMs)) continue;
        for await (const { line, end } of linesFrom(file.path, file.identity, from)) {
          next.set(file.identity, end);
          yield line;
        }
      }
    },
  };
}

/** A file that has become shorter is read from its start. */
function startOf(file: LogFile, offsets: ReadonlyMap<string, number>): number {
  const known = offsets.get(file.identity) ?? 0;
  return file.size < known ? 0 : known;
}

function isTooOld(file: LogFile, sinceMs: number | null): boolean {
  return sinceMs !== null && Number.isFinite(file.number) && file.modifiedMs < sinceMs;
}

async function logFiles(folder: string): Promise<readonly LogFile[]> {
  const names = (await listFolder(folder)).filter((name) => numberOf(name) !== null);
  const files = await Promise.all(names.map((name) => describe(folder, name)));
  return files.filter((file) => file !== null).sort((a, b) => (a.number < b.number ? -1 : 1));
}

function numberOf(name: string): number | null {
  if (name === "current.ndjson") return Number.POSITIVE_INFINITY;
  const number = /^(\d{1,9})\.ndjson$/.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

async function describe(folder: string, name: string): Promise<LogFile | null> {
  const path = join(folder, name);
  try {
    const { ino, birthtimeMs, size, mtimeMs } = await stat(path);
    const identity = `${ino}.${birthtimeMs}`;
    return { path, identity, size, modifiedMs: mtimeMs, number: numberOf(name) ?? 0 };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/**
 * Complete lines from an offset on; `end` is the offset behind the line. Nothing when the file has
 * changed its name.
 */
async function* linesFrom(
  path: string,
  identity: string,
  from: number,
): AsyncIterable<{ readonly line: string; readonly end: number }> {
  const file = await openIfThere(path);
  if (file === null) return;
  try {
    const { ino, birthtimeMs } = await file.stat();
    if (`${ino}.${birthtimeMs}` !== identity) return;
    yield* linesOf(file, from);
  } finally {
    await file.close();
  }
}

async function* linesOf(file: FileHandle, from: number) {
  let end = from;
  let rest = Buffer.alloc(0);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = from; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10, start)) {
      end += at + 1 - start;
      yield { line: rest.toString("utf8", start, at), end };
      start = at + 1;
    }
    rest = rest.subarray(start);
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
