import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isComposedPath } from "./composed-entry.ts";
import type { FolderListings, FolderView } from "./folder-listing.ts";
import { stemOf } from "./folder-listing.ts";

/** Everything on disk that decides what a bundle becomes. */
export interface BuildInputs {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  readonly folders: readonly FolderView[];
}

/** What package managers write whenever they change `node_modules`. */
const INSTALL_MARKS = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"];

/** The innermost `node_modules`, and the path inside it. */
const INSTALLED = /^((?:.*\/)?node_modules)\/(.*)$/;

/** More levels than any project has; ends a circle. */
const EXTENDS_MAX = 16;

/**
 * Adds to the files that esbuild read what it looked at without saying so: `package.json`, `tsconfig.json` and what
 * that extends, the state of `node_modules`, and which names there are beside each source.
 *
 * @param read paths relative to the project, as in esbuild's metafile
 * @param also absolute paths
 */
export function collectInputs(
  projectRoot: string,
  read: readonly string[],
  also: readonly string[],
  listings: FolderListings,
): BuildInputs {
  const files = new Set(also);
  const stems = new Map<string, Set<string>>();
  for (const path of read) {
    if (isVirtual(path)) continue;
    const file = resolve(projectRoot, path);
    files.add(file);
    const [, above, inside] = INSTALLED.exec(path) ?? [];
    if (above === undefined || inside === undefined) addFolders(file, stems);
    else {
      const modules = resolve(projectRoot, above);
      for (const mark of installedFiles(modules, inside, listings)) files.add(mark);
    }
  }
  for (const folder of stems.keys()) {
    for (const config of configFiles(folder, listings)) files.add(config);
  }
  return {
    files: [...files].sort(),
    folders: [...stems].map(([folder, names]) => listings.view(folder, [...names].sort())),
  };
}

/** Modules that esbuild made up: `<stdin>`, `(disabled):x`, `data:` URLs. */
function isVirtual(path: string): boolean {
  if (path.startsWith("<") || path.startsWith("(disabled):") || isComposedPath(path)) return true;
  return path.startsWith("__scrim_");
}

/** The file's folder with the file's stem, and every folder above with the name of the folder below. */
function addFolders(file: string, stems: Map<string, Set<string>>): void {
  for (let below = file, isFile = true; ; isFile = false) {
    const folder = dirname(below);
    if (folder === below) return;
    const name = below.slice(folder.length).replace(/^[/\\]/, "");
    const names = stems.get(folder);
    const stem = isFile ? stemOf(name) : name;
    if (names?.has(stem)) return;
    if (names === undefined) stems.set(folder, new Set([stem]));
    else names.add(stem);
    below = folder;
  }
}

/** Which tree of packages a file is from, and its package's own description. */
function* installedFiles(
  modules: string,
  inside: string,
  listings: FolderListings,
): Iterable<string> {
  for (const mark of INSTALL_MARKS) if (listings.has(modules, mark)) yield join(modules, mark);
  const [scope = "", name = ""] = inside.split("/");
  const folder = join(modules, scope.startsWith("@") ? `${scope}/${name}` : scope);
  if (listings.has(folder, "package.json")) yield join(folder, "package.json");
}

function* configFiles(folder: string, listings: FolderListings): Iterable<string> {
  if (listings.has(folder, "package.json")) yield join(folder, "package.json");
  if (listings.has(folder, "tsconfig.json")) {
    yield* extended(join(folder, "tsconfig.json"), EXTENDS_MAX);
  }
}

/** A tsconfig and those it extends. Reads only the one key, with a pattern, since comments are allowed in the file. */
function* extended(file: string, depthMax: number): Iterable<string> {
  yield file;
  if (depthMax === 0) return;
  const value = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(readText(file))?.[1] ?? "";
  for (const [, name = ""] of value.matchAll(/"([^"]*)"/g)) {
    const target = resolveExtends(file, name);
    if (target !== null) yield* extended(target, depthMax - 1);
  }
}

function resolveExtends(from: string, name: string): string | null {
  if (name.startsWith(".") || isAbsolute(name)) {
    const path = resolve(dirname(from), name);
    return path.endsWith(".json") ? path : `${path}.json`;
  }
  const { resolve: find } = createRequire(from);
  for (const candidate of [name, `${name}.json`, `${name}/tsconfig.json`]) {
    try {
      const found = find(candidate);
      if (found.endsWith(".json")) return found;
    } catch {
      // Not under this name; esbuild warns when it is under none.
    }
  }
  return null;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
