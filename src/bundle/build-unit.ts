import { createHash } from "node:crypto";
import type { BundleSettings, FunctionSpec } from "../components/node.ts";
import { canonicalJson } from "../model/json.ts";
import type { ComposedEntry } from "./composed-entry.ts";
import { composerHash } from "./composed-entry.ts";
import type { CopiedFile } from "./copy-files.ts";
import { esbuildVersion } from "./esbuild-options.ts";

/** Changes whenever the same input would be bundled differently by this code. */
const RECIPE = 1;

/** One thing to bundle. Functions with the same entry and settings share it. */
export interface BuildUnit {
  /** Hash of everything that decides the output, apart from the content of files. */
  readonly key: string;
  /** Slash-separated, relative to the project. */
  readonly entry: string;
  readonly settings: BundleSettings;
  readonly copied: readonly CopiedFile[];
  /** Set for a CommonJS entry, whose exports a module must name one by one. */
  readonly commonJsExport: string | null;
  /** Set for a function that has an authorizer; then the entry is made of both. */
  readonly composed: ComposedEntry | null;
  /** The first function that asked for it; settings problems are told at its source. */
  readonly spec: FunctionSpec;
}

export function buildUnit(
  entry: string,
  spec: FunctionSpec,
  copied: readonly CopiedFile[],
  more: { readonly commonJsExport?: string; readonly composed?: ComposedEntry } = {},
): BuildUnit {
  const { commonJsExport = null, composed = null } = more;
  const { minify, sourcemap, external, loader, banner } = spec.bundle;
  const key = canonicalJson({
    recipe: RECIPE,
    esbuild: esbuildVersion(),
    entry,
    options: { minify, sourcemap, external, loader, banner },
    copied: copied.map(({ to, executable }) => [to, executable]),
    copiedFrom: spec.bundle.copyFiles.map(({ from }) => from),
    commonJsExport,
    ...(composed && { composed: composed.name, composer: composerHash() }),
  });
  return {
    key: createHash("sha256").update(key).digest("hex"),
    entry,
    settings: spec.bundle,
    copied,
    commonJsExport,
    composed,
    spec,
  };
}
