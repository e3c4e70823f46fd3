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
    const isFolder = lstatSync(join(folder, path)).isDirectory();
    hash.update(`${path}\0${isFolder ? "folder" : "file"}\0`);
    if (!isFolder) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}

/** Everything below a folder, folders too, in one order. */
export function pathsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}
