import { createHash, randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, fail } from "../model/diagnostic.ts";

/** A zip in the store, with what tells cheaply whether it is still as it was written. */
export interface StoredZip {
  /** SHA-256 of the bytes, hex; also the file's name. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** Another process may be about to use a zip that this one has no record of; a day outlasts any deploy. */
const UNUSED_KEPT_MS = 24 * 3600 * 1000;

/** The one file of the folder that is no zip; what an interrupted write of it left is swept like an old zip. */
export const INDEX_NAME = "index";

/** Zips in `<cache>/bundles/`, by the hash of their bytes. */
export class BundleStore {
  readonly #folder: string;

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "bundles");
  }

  zipFile(hash: string): string {
    return join(this.#folder, `${hash}.zip`);
  }

  /** @throws DiagnosticError `CACHE_UNWRITABLE` (exit 1) */
  write(zip: Uint8Array): StoredZip {
    const hash = createHash("sha256").update(zip).digest("hex");
    const file = this.zipFile(hash);
    // Always written anew: what lies there may be damaged.
    writeFileAtomically(file, zip);
    const { size, mtimeMs } = statSync(file);
    return { hash, sizeBytes: size, mtimeMs };
  }

  /** Whether the zip is there and whole. Reads it only when its size fits and its time does not. */
  isWhole(zip: StoredZip): boolean {
    try {
      const file = this.zipFile(zip.hash);
      const { size, mtimeMs } = statSync(file);
      if (size !== zip.sizeBytes) return false;
      if (mtimeMs === zip.mtimeMs) return true;
      return createHash("sha256").update(readFileSync(file)).digest("hex") === zip.hash;
    } catch {
      return false;
    }
  }

  /** Deletes what is not in `used` and was not written lately. Never fails: it is only about room. */
  sweep(used: ReadonlySet<string>, nowMs: number): void {
    try {
      for (const name of readdirSync(this.#folder)) {
        if (name === INDEX_NAME || used.has(name.replace(/\.zip$/, ""))) continue;
        const file = join(this.#folder, name);
        const { mtimeMs } = statSync(file);
        if (nowMs - mtimeMs > UNUSED_KEPT_MS) rmSync(file, { force: true });
      }
    } catch {
      // Another process sweeps too, or the folder is not there yet.
    }
  }
}

/**
 * Writes a file so that a reader sees the old content or all of the new.
 *
 * @throws DiagnosticError `CACHE_UNWRITABLE` (exit 1)
 */
export function writeFileAtomically(file: string, content: Uint8Array | string): void {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, content);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fail("CACHE_UNWRITABLE", `Cannot write to ${dirname(file)}`, {
      why: error instanceof Error ? error.message : String(error),
      hint: "Make room on the disk, or make the project's .scrim folder writable.",
      exit: EXIT.failed,
    });
  }
}
