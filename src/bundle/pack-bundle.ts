import { readFileSync } from "node:fs";
import type { FunctionSpec } from "../components/node.ts";
import { fail } from "../model/diagnostic.ts";
import type { BuildOutput } from "./build-output.ts";
import type { CopiedFile } from "./copy-files.ts";
import { type ZipEntry, zipFiles } from "./zip.ts";

/** Lambda's limits for code that is uploaded directly; AWS Lambda developer guide, "Lambda quotas". */
export const ZIPPED_BYTES_MAX = 50 * 1024 * 1024;
export const UNZIPPED_BYTES_MAX = 250 * 1024 * 1024;

/**
 * Puts code, source map, assets and copied files into one zip.
 *
 * @throws DiagnosticError `BUNDLE_TOO_LARGE`, `COPY_FILES_INVALID` (exit 2)
 */
export function packBundle(
  spec: FunctionSpec,
  output: BuildOutput,
  copied: readonly CopiedFile[],
): Uint8Array {
  const entries = new Map<string, ZipEntry>();
  let bytes = 0;
  const add = (name: string, content: Uint8Array, executable = false) => {
    bytes += content.length;
    requireSize(spec, bytes, UNZIPPED_BYTES_MAX, "unzipped", entries);
    entries.set(name, { content, executable });
  };
  add("index.mjs", output.code);
  if (output.map !== null) add("index.mjs.map", output.map);
  for (const [name, content] of output.assets) add(name, content);
  for (const { from, to, executable } of copied) add(to, readCopied(spec, from), executable);
  const zip = zipFiles(entries);
  requireSize(spec, zip.length, ZIPPED_BYTES_MAX, "zipped", entries);
  return zip;
}

function readCopied(spec: FunctionSpec, from: string): Uint8Array {
  try {
    return readFileSync(from);
  } catch (error) {
    throw fail("COPY_FILES_INVALID", `copyFiles cannot copy ${from}`, {
      why: error instanceof Error ? error.message : String(error),
      ...(spec.source && { source: spec.source }),
    });
  }
}

function requireSize(
  spec: FunctionSpec,
  bytes: number,
  bytesMax: number,
  state: string,
  entries: ReadonlyMap<string, ZipEntry>,
): void {
  if (bytes <= bytesMax) return;
  const [largest] = [...entries].sort(([, a], [, b]) => b.content.length - a.content.length);
  throw fail("BUNDLE_TOO_LARGE", `The bundle of ${JSON.stringify(spec.handler)} is too large`, {
    why: `It has more than ${Math.round(bytesMax / 1024 / 1024)} MB ${state}, which no function may have.${
      largest ? ` Its largest file is ${largest[0]}.` : ""
    }`,
    hint: "Set nodejs.minify, import less, or copy fewer files.",
    ...(spec.source && { source: spec.source }),
  });
}
