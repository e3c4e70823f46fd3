import { basename, relative, sep } from "node:path";
import type { Metafile, OutputFile } from "esbuild";

/** What esbuild made of one entry. */
export interface BuildOutput {
  readonly code: Uint8Array;
  readonly map: Uint8Array | null;
  /** Files that loaders such as `file` put beside the code, by name. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** Keys of the metafile: paths relative to the project. */
  readonly inputs: readonly string[];
  readonly exports: readonly string[];
  /** The code passes on all exports of a module outside the bundle, so `exports` may not be all. */
  readonly exportsOpen: boolean;
  readonly commonJs: boolean;
}

type Result = { readonly metafile: Metafile; readonly outputFiles: readonly OutputFile[] };

/** Takes the output of entry `name` out of what one call, maybe for many entries, gave. */
export function readBuildOutput(projectRoot: string, name: string, result: Result): BuildOutput {
  const key = `${name}.mjs`;
  const meta = result.metafile.outputs[key];
  const files = new Map(
    result.outputFiles.map((file) => [relative(projectRoot, file.path).split(sep).join("/"), file]),
  );
  const code = files.get(key)?.contents;
  if (meta === undefined || code === undefined) throw new Error(`esbuild gave no ${key}`);
  const map = files.get(`${key}.map`)?.contents ?? null;
  const assets = new Map<string, Uint8Array>();
  for (const { path, external } of meta.imports) {
    const asset = external === true ? undefined : files.get(path);
    if (asset !== undefined) assets.set(basename(path), asset.contents);
  }
  const entry = meta.entryPoint === undefined ? undefined : result.metafile.inputs[meta.entryPoint];
  return {
    code: map === null ? code : withMapReference(code),
    map,
    assets,
    inputs: [...inputsOf(meta.entryPoint, result.metafile)],
    exports: meta.exports,
    exportsOpen: Buffer.from(code).includes("export * from "),
    commonJs: entry?.format === "cjs",
  };
}

function withMapReference(code: Uint8Array): Uint8Array {
  return Buffer.concat([code, Buffer.from("//# sourceMappingURL=index.mjs.map\n")]);
}

/**
 * Every file that was read for an entry. The output's own list has only files that left something in it; a file
 * that was tree-shaken away decides the output just as well.
 */
function inputsOf(entry: string | undefined, { inputs }: Metafile): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = entry === undefined ? [] : [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const next of inputs[path]?.imports ?? []) {
      if (next.external !== true && inputs[next.path] !== undefined) queue.push(next.path);
    }
  }
  return found;
}
