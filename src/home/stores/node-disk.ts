import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { Disk } from "./disk.ts";

/** Write bits of group and others. */
const WRITABLE_BY_OTHERS = 0o022;
/** Read bits of group and others. */
const READABLE_BY_OTHERS = 0o044;
const isWindows = process.platform === "win32";

/** The file system of this machine. */
export const nodeDisk: Disk = {
  read: (path) => readFileSync(path),
  list: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    })),
  status: (path) => {
    const status = statSync(path);
    return {
      isFolder: status.isDirectory(),
      writableByOthers: !isWindows && (status.mode & WRITABLE_BY_OTHERS) !== 0,
      readableByOthers: !isWindows && (status.mode & READABLE_BY_OTHERS) !== 0,
      modifiedMs: status.mtimeMs,
    };
  },
  makeFolder: (folder) => mkdirSync(folder, { mode: 0o700 }),
  writeNew: (path, bytes) => {
    const file = openSync(path, "wx", 0o600);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
  link: (path, newPath) => linkSync(path, newPath),
  syncFolder: (folder) => {
    // Windows has no such call; its file systems keep the order of names by themselves.
    if (isWindows) return;
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
  remove: (path) => unlinkSync(path),
};
