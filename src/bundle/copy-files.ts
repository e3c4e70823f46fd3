import { readdirSync, realpathSync, statSync } from "node:fs";
import { posix, resolve, sep } from "node:path";
import type { FunctionSpec } from "../components/node.ts";
import { type DiagnosticError, fail } from "../model/diagnostic.ts";

/** One file that goes into the bundle as it is. */
export interface CopiedFile {
  /** Absolute path. */
  readonly from: string;
  /** Slash-separated name inside the bundle. */
  readonly to: string;
  readonly executable: boolean;
}

/** More than any bundle can hold; a folder with more is a mistake such as `from: "."`. */
const FILES_MAX = 20_000;

/**
 * Every file that `copyFiles` names, folders walked, in a fixed order.
 *
 * @throws DiagnosticError `COPY_FILES_INVALID` (exit 2): missing, outside the project, or in the way of the code
 */
export function expandCopyFiles(projectRoot: string, spec: FunctionSpec): readonly CopiedFile[] {
  const files = new Map<string, CopiedFile>();
  for (const { from, to } of spec.bundle.copyFiles) {
    const target = posix.normalize(to || from).replace(/\/$/, "");
    if (target.startsWith("..") || posix.isAbsolute(target) || /[\\\0]/.test(target)) {
      throw invalid(spec, `copyFiles cannot write ${JSON.stringify(to)}`, "It leaves the bundle.");
    }
    walk(projectRoot, resolve(projectRoot, from), target, spec, files, new Set());
  }
  return [...files.values()].sort((a, b) => (a.to < b.to ? -1 : 1));
}

function walk(
  projectRoot: string,
  from: string,
  to: string,
  spec: FunctionSpec,
  files: Map<string, CopiedFile>,
  above: ReadonlySet<string>,
): void {
  const real = realPath(from, spec);
  if (real !== projectRoot && !real.startsWith(projectRoot + sep)) {
    throw invalid(spec, `copyFiles cannot copy ${from}`, "It lies outside the project.");
  }
  if (above.has(real)) throw invalid(spec, `copyFiles cannot copy ${from}`, "It contains itself.");
  const stat = statSync(real);
  if (stat.isDirectory()) {
    for (const name of readdirSync(real).sort()) {
      walk(
        projectRoot,
        resolve(real, name),
        posix.join(to, name),
        spec,
        files,
        new Set([...above, real]),
      );
    }
    return;
  }
  if (!stat.isFile()) throw invalid(spec, `copyFiles cannot copy ${from}`, "It is not a file.");
  if (to === "index.mjs" || to === "index.mjs.map") {
    throw invalid(spec, `copyFiles cannot write ${to}`, "That name is the function's own code.");
  }
  if (files.size >= FILES_MAX) {
    throw invalid(spec, "copyFiles copies too much", `There are more than ${FILES_MAX} files.`);
  }
  files.set(to, { from: real, to, executable: (stat.mode & 0o111) !== 0 });
}

function realPath(from: string, spec: FunctionSpec): string {
  try {
    return realpathSync.native(from);
  } catch {
    throw invalid(spec, `copyFiles cannot copy ${from}`, "There is no such file or folder.");
  }
}

function invalid(spec: FunctionSpec, message: string, why: string): DiagnosticError {
  return fail("COPY_FILES_INVALID", message, {
    why,
    hint: `Correct nodejs.copyFiles of the function ${spec.handler}.`,
    ...(spec.source && { source: spec.source }),
  });
}
