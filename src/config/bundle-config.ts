import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildFailure, Loader, Message, Plugin } from "esbuild";
import { type Diagnostic, DiagnosticError, EXIT } from "../model/diagnostic.ts";
import { type ConfigBundle, ConfigCache } from "./config-cache.ts";

/**
 * The config as one JavaScript module: the project's own files bundled, packages left to Node. When nothing changed
 * since the last time, esbuild is not even loaded.
 *
 * @param file absolute path of the config
 * @throws DiagnosticError `CONFIG_SYNTAX` (exit 2) with every error of the bundler, at its place
 */
export async function bundleConfig(file: string, project: string): Promise<ConfigBundle> {
  const cache = new ConfigCache(project, file);
  return cache.find() ?? build(file, project, cache);
}

async function build(file: string, project: string, cache: ConfigCache): Promise<ConfigBundle> {
  const esbuild = await import("esbuild");
  const result = await esbuild
    .build({
      absWorkingDir: project,
      // Relative, because a star in the path would be a pattern.
      entryPoints: [`./${relative(project, file)}`],
      outfile: join(project, ".scrim", "cache", "config", "config.mjs"),
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      sourcemap: "external",
      sourcesContent: false,
      legalComments: "none",
      logLevel: "silent",
      define: {
        "import.meta.url": "__scrimMeta.url",
        "import.meta.dirname": "__scrimMeta.dirname",
        "import.meta.filename": "__scrimMeta.filename",
      },
      plugins: [keepPackages(project), ownPaths()],
    })
    .catch((error: unknown) => {
      throw isBuildFailure(error) ? syntaxError(error, project) : error;
    });
  const [code, map] = [/\.mjs$/, /\.map$/].map(
    (end) => result.outputFiles.find((output) => end.test(output.path))?.text ?? "",
  );
  const sources = Object.keys(result.metafile.inputs).map((path) => resolve(project, path));
  return cache.store(code ?? "", map ?? "", [...sources, ...steering(project)]);
}

/** Files that decide how sources are bundled, though no import names them. */
function steering(project: string): readonly string[] {
  return [join(project, "tsconfig.json"), join(project, "package.json")];
}

/**
 * Leaves installed packages to Node, and bundles what lies outside of any node_modules: packages of a workspace are
 * TypeScript as often as not.
 */
function keepPackages(project: string): Plugin {
  return {
    name: "keep-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async (args) => {
        if (args.kind === "entry-point" || args.pluginData === "resolved") return undefined;
        if (isBuiltin(args.path) || /^scrim(\/|$)/.test(args.path)) {
          return { path: args.path, external: true };
        }
        const found = await build.resolve(args.path, {
          kind: args.kind,
          importer: args.importer,
          resolveDir: args.resolveDir,
          pluginData: "resolved",
        });
        if (found.errors.length > 0) return undefined;
        if (!found.path.split(sep).includes("node_modules")) return found;
        const near = !relative(project, args.resolveDir).startsWith("..");
        return { path: near ? args.path : pathToFileURL(found.path).href, external: true };
      });
    },
  };
}

/** Gives each source the `import.meta`, `__dirname` and `__filename` of its own place instead of the bundle's. */
function ownPaths(): Plugin {
  return {
    name: "own-paths",
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, (args) => {
        const contents = readFileSync(args.path, "utf8");
        if (!/\bimport\.meta\b|\b__(?:dir|file)name\b/.test(contents)) return undefined;
        const paths = { dirname: dirname(args.path), filename: args.path };
        const meta = JSON.stringify({ url: pathToFileURL(args.path).href, ...paths });
        const names = Object.entries(paths).map(
          ([key, path]) => `__${key} = ${JSON.stringify(path)}`,
        );
        const prelude = `const __scrimMeta = ${meta}, ${names.join(", ")};`;
        return { contents: `${prelude}${contents}`, loader: loaderOf(args.path) };
      });
    },
  };
}

function loaderOf(path: string): Loader {
  const extension = extname(path).replace(/[cm](?=[jt]s)/, "");
  switch (extension) {
    case ".tsx":
      return "tsx";
    case ".jsx":
      return "jsx";
    case ".ts":
      return "ts";
    default:
      return "js";
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function syntaxError(failure: BuildFailure, project: string): DiagnosticError {
  const [first, ...more] = failure.errors.map((message) => diagnosticOf(message, project));
  if (first === undefined) throw failure;
  return new DiagnosticError(first, ...more);
}

function diagnosticOf({ text, location, notes }: Message, project: string): Diagnostic {
  const why = notes.map((note) => note.text).join(" ");
  return {
    severity: "error",
    code: "CONFIG_SYNTAX",
    message: text,
    ...(why === "" ? {} : { why }),
    ...(location === null
      ? {}
      : {
          source: {
            file: resolve(project, location.file),
            line: location.line,
            column: location.column + 1,
          },
        }),
    exit: EXIT.usage,
  };
}
