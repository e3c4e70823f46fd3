import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One hash over a folder: every name in it, and every file's content. "" where there is no such folder.
 *
 * @param isLeftOut says which paths, relative to the folder, do not count
 */
export function treeDigest(
  folder: string,
  isLeftOut: (path: string) => boolean = () => false,
): string {
  if (!existsSync(folder)) return "";
  const hash = createHash("sha256");
  for (const path of pathsIn(folder).filter((path) => !isLeftOut(path))) {
    const isFile = lstatSync(join(folder, path)).isFile();
    hash.update(`${path}\0${isFile}\0`);
    if (isFile) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}

/** Everything below a folder, folders too, in one order. Links are not followed. */
export function pathsIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const paths = entries.flatMap((entry) => [
    entry.name,
    ...(entry.isDirectory()
      ? pathsIn(join(folder, entry.name)).map((path) => join(entry.name, path))
      : []),
  ]);
  return paths.sort();
}

/** Bytes in all files below a folder. */
export function sizeOf(folder: string): number {
  return pathsIn(folder).reduce((sum, path) => {
    const status = lstatSync(join(folder, path));
    return status.isFile() ? sum + status.size : sum;
  }, 0);
}
