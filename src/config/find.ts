import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail } from "../model/diagnostic.ts";

/** What a config may be called, the usual name first. */
export const CONFIG_NAMES = [
  "scrim.config.ts",
  "scrim.config.mts",
  "scrim.config.js",
  "scrim.config.mjs",
];

export interface FoundConfig {
  /** Absolute path. */
  readonly file: string;
  /** The project's folder: where handlers, `.env` files and `.scrim/` are. */
  readonly folder: string;
}

/**
 * The config file: the one named, else the first `scrim.config.ts` (or .mts, .js, .mjs) in `cwd` or a folder above.
 *
 * @param config the value of `--config`, relative to `cwd`; null when it was not given
 * @throws DiagnosticError `CONFIG_NOT_FOUND`, `CONFIG_AMBIGUOUS` (exit 2)
 */
export function findConfig(cwd: string, config: string | null): FoundConfig {
  if (config !== null) return named(resolve(cwd, config));
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const [name, second] = configsIn(folder);
    if (name !== undefined && second !== undefined) throw ambiguous(folder, name, second);
    if (name !== undefined) return { file: join(folder, name), folder };
    if (folder === dirname(folder)) throw notFound(cwd);
  }
}

function named(file: string): FoundConfig {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile()) return { file, folder: dirname(file) };
  throw fail("CONFIG_NOT_FOUND", `There is no config file at ${file}`, {
    why: stat === undefined ? "Nothing is there." : "What is there is not a file.",
    hint: "Check the path behind --config.",
  });
}

function configsIn(folder: string): readonly string[] {
  try {
    const names = new Set(readdirSync(folder));
    return CONFIG_NAMES.filter((name) => names.has(name) && isFile(join(folder, name)));
  } catch {
    // A folder above that we may not read holds no config of ours.
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function ambiguous(folder: string, first: string, second: string): Error {
  return fail("CONFIG_AMBIGUOUS", `${folder} holds both ${first} and ${second}`, {
    hint: "Remove one of them, or name one with --config.",
  });
}

function notFound(cwd: string): Error {
  return fail(
    "CONFIG_NOT_FOUND",
    `There is no ${basename(CONFIG_NAMES[0] ?? "")} in ${cwd} or above`,
    {
      hint: "Run `scrim init` to make one, or name it with --config.",
    },
  );
}
