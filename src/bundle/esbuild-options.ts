import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BuildOptions, Loader } from "esbuild";
import type { BundleSettings, FunctionSpec } from "../components/node.ts";
import { fail } from "../model/diagnostic.ts";

/** Loaders of esbuild that make sense for a function. */
const LOADERS = new Map<string, Loader>(
  (
    [
      "base64",
      "binary",
      "copy",
      "dataurl",
      "empty",
      "file",
      "js",
      "json",
      "jsx",
      "text",
      "ts",
      "tsx",
    ] as const
  ).map((name) => [name, name]),
);

/**
 * What CommonJS dependencies expect to find. Set on the global object, not declared, because a declaration would
 * collide with one of the same name in the user's module.
 */
const COMMON_JS_BANNER = [
  `import { createRequire as __scrimCreateRequire } from "node:module";`,
  `import { fileURLToPath as __scrimFileURLToPath } from "node:url";`,
  "globalThis.require ??= __scrimCreateRequire(import.meta.url);",
  "globalThis.__filename ??= __scrimFileURLToPath(import.meta.url);",
  `globalThis.__dirname ??= __scrimFileURLToPath(new URL(".", import.meta.url));`,
].join("\n");

/**
 * Options for one call. Output never depends on the machine: paths are relative to the project, and nothing of the
 * environment is read (esbuild takes `NODE_PATH` unless told otherwise).
 *
 * @throws DiagnosticError `BUNDLE_OPTION_INVALID` (exit 2)
 */
export function esbuildOptions(projectRoot: string, spec: FunctionSpec) {
  const { minify, sourcemap, external, banner } = spec.bundle;
  return {
    absWorkingDir: projectRoot,
    // Nothing is written; in this folder, paths in source maps come out relative to the project.
    outdir: projectRoot,
    outExtension: { ".js": ".mjs" },
    write: false,
    metafile: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Most packages offer modules beside CommonJS, and only those lose their unused parts.
    mainFields: ["module", "main"],
    nodePaths: [],
    keepNames: true,
    minify,
    // The reference to the map is added with the name it has in the bundle.
    sourcemap: sourcemap ? "external" : false,
    sourcesContent: false,
    legalComments: "none",
    charset: "utf8",
    external: [...external],
    loader: parseLoaders(spec.bundle, spec),
    banner: { js: banner === "" ? COMMON_JS_BANNER : `${COMMON_JS_BANNER}\n${banner}` },
    logLevel: "silent",
    logLimit: 20,
  } satisfies BuildOptions;
}

function parseLoaders(settings: BundleSettings, spec: FunctionSpec): Record<string, Loader> {
  const loaders: Record<string, Loader> = {};
  for (const [extension, name] of Object.entries(settings.loader)) {
    const loader = LOADERS.get(name);
    if (loader === undefined || !/^\.[^/\\]+$/.test(extension)) {
      throw fail("BUNDLE_OPTION_INVALID", `nodejs.loader cannot map ${extension} to ${name}`, {
        why: "A loader maps an extension with its dot to one of esbuild's loaders.",
        hint: `Loaders are ${[...LOADERS.keys()].join(", ")}.`,
        ...(spec.source && { source: spec.source }),
      });
    }
    loaders[extension] = loader;
  }
  return loaders;
}

let version: string | undefined;

/** The installed esbuild's version, read without loading it. */
export function esbuildVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const main = createRequire(import.meta.url).resolve("esbuild");
  const manifest: unknown = JSON.parse(
    readFileSync(join(dirname(dirname(main)), "package.json"), "utf8"),
  );
  return (manifest as { version: string }).version;
}
