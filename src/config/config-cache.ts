import { createHash, randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fail } from "../model/diagnostic.ts";

/** Raised whenever the same sources would be bundled differently. */
const FORMAT = 1;

/** A bundle that this old and not current is deleted; another command may still be about to load a younger one. */
const STALE_MS = 24 * 3600 * 1000;

export interface ConfigBundle {
  /** Absolute path of the bundled module; its source map lies beside it as `<file>.map`. */
  readonly file: string;
  /** Absolute paths of all sources, to watch. */
  readonly inputs: readonly string[];
}

interface Manifest {
  readonly format: number;
  readonly output: string;
  /** SHA-256 by absolute path; null for a file that was looked for and is not there. */
  readonly inputs: Readonly<Record<string, string | null>>;
}

/** Bundled configs of one project, found again by the content of everything that went in. */
export class ConfigCache {
  readonly #folder: string;
  readonly #manifest: string;

  /** @param project the project's folder */
  constructor(project: string, configFile: string) {
    this.#folder = join(project, ".scrim", "cache", "config");
    this.#manifest = join(this.#folder, `${sha256(configFile).slice(0, 16)}.json`);
  }

  /** The bundle, when nothing that went into it has changed; else null. */
  find(): ConfigBundle | null {
    const manifest = readManifest(this.#manifest);
    if (manifest === null) return null;
    const entries = Object.entries(manifest.inputs);
    if (!entries.every(([file, hash]) => hashOf(file) === hash)) return null;
    const file = join(this.#folder, manifest.output);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return null;
    return { file, inputs: existing(manifest) };
  }

  /**
   * Keeps a new bundle.
   *
   * @param inputs absolute paths of its sources and of files that steer how they are bundled, present or not
   * @throws DiagnosticError `CONFIG_CACHE_UNWRITABLE` (exit 2)
   */
  store(code: string, sourceMap: string, inputs: readonly string[]): ConfigBundle {
    const output = `${sha256(code).slice(0, 32)}.mjs`;
    const manifest: Manifest = {
      format: FORMAT,
      output,
      inputs: Object.fromEntries(inputs.map((file) => [file, hashOf(file)])),
    };
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeAtomically(join(this.#folder, `${output}.map`), sourceMap);
      writeAtomically(join(this.#folder, output), code);
      writeAtomically(this.#manifest, JSON.stringify(manifest));
    } catch (error) {
      throw fail("CONFIG_CACHE_UNWRITABLE", `${this.#folder} cannot be written`, {
        why: error instanceof Error ? error.message : String(error),
        hint: "Make the project's folder writable; packages are looked up from there.",
      });
    }
    this.#sweep(output);
    return { file: join(this.#folder, output), inputs: existing(manifest) };
  }

  #sweep(current: string): void {
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith(".json") || name.startsWith(current)) continue;
      const path = join(this.#folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS) rmSync(path, { force: true });
    }
  }
}

function readManifest(file: string): Manifest | null {
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    return manifest.format === FORMAT ? manifest : null;
  } catch {
    // Missing, torn or by another version: it is only a cache.
    return null;
  }
}

function existing(manifest: Manifest): readonly string[] {
  return Object.keys(manifest.inputs).filter((file) => manifest.inputs[file] !== null);
}

function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

function hashOf(file: string): string | null {
  try {
    return sha256(readFileSync(file));
  } catch {
    return null;
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
