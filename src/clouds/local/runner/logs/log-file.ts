import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** The file that is appended to; full ones are renamed to `<n>.ndjson`, the highest number the newest. */
const CURRENT = "current.ndjson";

export interface LogFileLimits {
  readonly rotateBytes: number;
  /** Full files to keep beside the current one. */
  readonly keepFiles: number;
}

const DEFAULT_LIMITS: LogFileLimits = { rotateBytes: 16 * 1_024 * 1_024, keepFiles: 4 };

/** A log that is appended to with plain synchronous writes, so that what was appended is there for every reader. */
export interface LogFile {
  /** Appends whole lines. Never throws: a full disk loses lines, not requests. */
  append(lines: string): void;
  close(): void;
}

/** Opens the log in `folder`, which is made when the first line comes. */
export function openLogFile(folder: string, limits: LogFileLimits = DEFAULT_LIMITS): LogFile {
  let descriptor: number | null = null;
  let bytes = 0;
  const close = () => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  return {
    append(lines) {
      try {
        if (descriptor !== null && bytes >= limits.rotateBytes) {
          rotate(folder, descriptor, limits.keepFiles);
          close();
        }
        if (descriptor === null) {
          mkdirSync(folder, { recursive: true });
          descriptor = openSync(join(folder, CURRENT), "a", 0o600);
          bytes = fstatSync(descriptor).size;
        }
        bytes += writeAll(descriptor, Buffer.from(lines));
      } catch {
        close();
      }
    },
    close,
  };
}

function writeAll(descriptor: number, data: Buffer): number {
  let written = 0;
  while (written < data.length) written += writeSync(descriptor, data, written);
  return written;
}

/** Renames the current file, unless another process of the stage has done so already, and drops the oldest. */
function rotate(folder: string, descriptor: number, keepFiles: number): void {
  const current = join(folder, CURRENT);
  if (statSync(current).ino !== fstatSync(descriptor).ino) return;
  const numbers = readdirSync(folder)
    .map((name) => /^(\d{1,9})\.ndjson$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((left, right) => left - right);
  renameSync(current, join(folder, `${(numbers.at(-1) ?? 0) + 1}.ndjson`));
  const excess = numbers.slice(0, Math.max(0, numbers.length + 1 - keepFiles));
  for (const number of excess) rmSync(join(folder, `${number}.ndjson`), { force: true });
}
