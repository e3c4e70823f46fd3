import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** The content of one file as last seen. Compared by identity: other content is another object. */
export interface FileVersion {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/**
 * File times advance in steps of up to 10 ms (the kernel's tick), so of two writes in one step the second may leave
 * no trace. A time this close to now proves nothing.
 */
export const TIME_STEP_MS = 20;

/**
 * Knows the content hash of files. Size and times only save reading a file again; what decides is the content.
 * Within a round each file is looked at once.
 */
export class FileLedger {
  readonly #versions = new Map<string, FileVersion>();
  readonly #now: () => number;
  #restamped = false;
  #round = new Map<string, FileVersion | null>();
  #confirmed = new Set<FileVersion>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Forgets what was looked at, so that the next question asks the disk again. */
  startRound(): void {
    this.#round = new Map();
    this.#confirmed = new Set();
  }

  /** Takes over a version remembered from an earlier run. */
  remember(version: FileVersion): void {
    this.#versions.set(version.path, version);
  }

  /** Whether this is the newest version of its file that was seen. */
  isNewest(version: FileVersion): boolean {
    return this.#versions.get(version.path) === version;
  }

  /** Whether sizes and times of remembered versions have changed; worth remembering, too. */
  get restamped(): boolean {
    return this.#restamped;
  }

  isCurrent(version: FileVersion): boolean {
    return this.#confirmed.has(version) || this.current(version.path) === version;
  }

  /** The file as it is now, or null when it is not a readable file. */
  current(path: string): FileVersion | null {
    const seen = this.#round.get(path);
    if (seen !== undefined) return seen;
    const version = this.#look(path);
    this.#round.set(path, version);
    if (version !== null) this.#confirmed.add(version);
    return version;
  }

  #look(path: string): FileVersion | null {
    const now = this.#now();
    const known = this.#versions.get(path);
    try {
      const { size, mtimeMs, ctimeMs } = statSync(path);
      if (known && known.size === size && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs) {
        return known;
      }
      const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
      // A size of -1 never matches: the file is read again next time.
      const settled = Math.max(mtimeMs, ctimeMs) < now - TIME_STEP_MS;
      const stamp = { size: settled ? size : -1, mtimeMs, ctimeMs };
      if (known?.hash === hash) {
        this.#restamped = true;
        return Object.assign(known, stamp);
      }
      const version = { path, hash, ...stamp };
      this.#versions.set(path, version);
      return version;
    } catch {
      return null;
    }
  }
}
