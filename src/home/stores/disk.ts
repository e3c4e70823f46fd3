/**
 * The file system, as far as a directory store needs it. Calls are synchronous: for small files that is several times
 * cheaper than going through a pool of threads. They throw errors with a `code` as node:fs does (`ENOENT`, `ENOSPC`).
 */
export interface Disk {
  /** The whole content. */
  read(path: string): Uint8Array;
  /** What is in a folder, in any order. */
  list(folder: string): readonly DiskEntry[];
  status(path: string): DiskStatus;
  /** Makes one folder that only its owner can use. `EEXIST` when there is something of that name. */
  makeFolder(folder: string): void;
  /**
   * Makes a file that only its owner can use, writes it and waits until its content would survive a power cut.
   * `EEXIST` when there is something of that name.
   */
  writeNew(path: string, bytes: Uint8Array): void;
  /** Gives a file a second name. `EEXIST` when there is something of that name. */
  link(path: string, newPath: string): void;
  /** Waits until the names in a folder would survive a power cut. */
  syncFolder(folder: string): void;
  remove(path: string): void;
}

export interface DiskEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface DiskStatus {
  readonly isFolder: boolean;
  /** Whether its group or everybody may write to it; false where a system has no such bits. */
  readonly writableByOthers: boolean;
  /** Whether its group or everybody may read it; false where a system has no such bits. */
  readonly readableByOthers: boolean;
  /** When its content changed, in milliseconds since 1970 by the file system's clock. */
  readonly modifiedMs: number;
}
