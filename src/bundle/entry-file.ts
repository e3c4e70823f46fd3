import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import type { FunctionSpec } from "../components/node.ts";
import { type DiagnosticError, fail } from "../model/diagnostic.ts";
import { type FolderListings, stemOf } from "./folder-listing.ts";
import type { HandlerPath } from "./handler-path.ts";

/** In the order of preference where several exist: a source wins over what was compiled from it. */
const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/**
 * Finds the file of a handler. Names are compared in exact case, so that what works on one disk works on all.
 *
 * @param projectRoot absolute, with symbolic links resolved
 * @returns the file, slash-separated, relative to the project
 * @throws DiagnosticError `HANDLER_NOT_FOUND`, `HANDLER_CASE_MISMATCH`, `HANDLER_OUTSIDE_PROJECT` (exit 2)
 */
export function findEntryFile(
  projectRoot: string,
  { path }: HandlerPath,
  spec: FunctionSpec,
  listings: FolderListings,
): string {
  const segments = path.split("/");
  const base = segments.pop() ?? "";
  const folder = descend(projectRoot, segments, spec, listings);
  const names = new Set(listings.names(folder));
  for (const extension of EXTENSIONS) {
    if (!names.has(base + extension)) continue;
    const file = join(folder, base + extension);
    requireInside(projectRoot, file, spec);
    return relative(projectRoot, file).split(sep).join("/");
  }
  throw notFound(spec, path, folder, base, [...names], listings);
}

function descend(
  projectRoot: string,
  segments: readonly string[],
  spec: FunctionSpec,
  listings: FolderListings,
): string {
  let folder = projectRoot;
  for (const segment of segments) {
    const names = listings.names(folder);
    if (!names.includes(segment)) {
      const where = relative(projectRoot, folder).split(sep).join("/") || "the project";
      refuseOtherCase(spec, segment, names);
      throw problem(spec, "HANDLER_NOT_FOUND", `There is no folder ${segment} in ${where}`, {
        why: `Handler ${JSON.stringify(spec.handler)} needs it.`,
        hint: suggestion(segment, names) ?? "Check the path; it starts at the config's folder.",
      });
    }
    folder = join(folder, segment);
  }
  return folder;
}

function requireInside(projectRoot: string, file: string, spec: FunctionSpec): void {
  let real: string;
  try {
    real = realpathSync.native(file);
  } catch {
    const why = `${file} is a symbolic link that leads nowhere or in a circle.`;
    throw problem(spec, "HANDLER_NOT_FOUND", `Cannot read handler ${quoted(spec)}`, { why });
  }
  if (!real.startsWith(projectRoot + sep)) {
    throw problem(
      spec,
      "HANDLER_OUTSIDE_PROJECT",
      `Handler ${quoted(spec)} is outside the project`,
      {
        why: `${file} is a symbolic link to ${real}.`,
        hint: "Handlers lie in the folder of scrim.config.ts or below it.",
      },
    );
  }
  if (!statSync(real).isFile()) {
    throw problem(spec, "HANDLER_NOT_FOUND", `Handler ${quoted(spec)} names no file`, {
      why: `${file} is not a file.`,
    });
  }
}

function notFound(
  spec: FunctionSpec,
  path: string,
  folder: string,
  base: string,
  names: readonly string[],
  listings: FolderListings,
): DiagnosticError {
  const code = names.filter((name) => EXTENSIONS.some((extension) => name.endsWith(extension)));
  refuseOtherCase(spec, base, code.map(stemOf));
  const index = listings.names(join(folder, base)).some((name) => stemOf(name) === "index");
  const hint = index
    ? `${path} is a folder; to use its index file write ${path}/index.`
    : suggestion(base, code.map(stemOf));
  return problem(spec, "HANDLER_NOT_FOUND", `There is no file for handler ${quoted(spec)}`, {
    why: `Looked for ${path} with ${EXTENSIONS.slice(0, -1).join(", ")} or ${EXTENSIONS.at(-1)}.`,
    hint: hint ?? "Check the path; it starts at the config's folder.",
  });
}

function refuseOtherCase(spec: FunctionSpec, wanted: string, names: readonly string[]): void {
  const other = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (other === undefined || names.includes(wanted)) return;
  throw problem(
    spec,
    "HANDLER_CASE_MISMATCH",
    `Handler ${quoted(spec)} differs in case from ${other}`,
    {
      why: `On disk it is ${other}; other systems would not find ${wanted}.`,
      hint: `Write ${other} in the handler.`,
    },
  );
}

function suggestion(wanted: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const near = closest(wanted, names);
  const far = Math.max(2, Math.floor(wanted.length / 3));
  return distance(wanted, near) <= far ? `Did you mean ${near}?` : undefined;
}

function quoted(spec: FunctionSpec): string {
  return JSON.stringify(spec.handler);
}

function problem(
  spec: FunctionSpec,
  code: string,
  message: string,
  rest: { readonly why?: string; readonly hint?: string },
): DiagnosticError {
  return fail(code, message, { ...rest, ...(spec.source && { source: spec.source }) });
}
