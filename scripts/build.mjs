// Builds dist/: the command line and the local cloud's processes bundled with splitting (hundreds of small modules
// start slowly), the libraries that users import, and the types of what is public.
//   cli/     the command line, as CommonJS: what `scrim` starts, the answer to `scrim --help`, and the programs that the
//            first loads for all else
//   local/   the local cloud's processes; chunks/ what they load when a stage needs it
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pkg = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const typesToo = !process.argv.includes("--no-types");
const outdirAt = process.argv.indexOf("--outdir");
const target = outdirAt === -1 ? join(root, "dist") : resolve(process.argv[outdirAt + 1] ?? "dist");
/** Where it is made, so that a build that fails leaves the one before. */
const outdir = join(root, ".cache", `build-${process.pid}`);

// Part of every start of the command line: finding and reading them as packages takes longer than running them.
const bundled = new Set(["@stricli/core", "fastest-levenshtein"]);

/** @type {import("esbuild").BuildOptions} */
const options = {
  absWorkingDir: root,
  outdir,
  bundle: true,
  platform: "node",
  target: "node20.19",
  external: Object.keys(pkg.dependencies).filter((name) => !bundled.has(name)),
  define: { SCRIM_VERSION: JSON.stringify(pkg.version) },
  legalComments: "none",
  logLevel: "warning",
};

try {
  await buildLibraries();
  await buildCommandLine();
  if (typesToo) writeTypes();
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  renameSync(outdir, target);
} finally {
  rmSync(outdir, { recursive: true, force: true });
}

/** Everything that is loaded as ES modules: what users import, and the processes of the local cloud. */
async function buildLibraries() {
  await build({
    ...options,
    entryPoints: {
      "runtime/index": "src/runtime/index.ts",
      "runtime/compose-authorizer": "src/runtime/compose-authorizer.ts",
      "auth/index": "src/auth/index.ts",
      "auth/adapter/index": "src/auth/adapter/index.ts",
      "local/server": "src/clouds/local/server/main.ts",
      "local/runner": "src/clouds/local/runner/main.ts",
      "local/worker": "src/clouds/local/runner/worker.ts",
    },
    splitting: true,
    format: "esm",
    chunkNames: "chunks/[name]-[hash]",
  });
}

async function buildCommandLine() {
  const folder = join(outdir, "cli");
  await build({
    ...options,
    outdir: folder,
    entryPoints: {
      main: "src/cli/main.ts",
      program: "src/cli/program.ts",
      "state-list": "src/cli/state-list-program.ts",
    },
    format: "cjs",
    define: { ...options.define, "import.meta.url": "moduleUrl" },
    banner: {
      js: '"use strict"; const moduleUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    external: [...options.external, "./program.js", "./state-list.js"],
  });
  // CommonJS files inside of a package of ES modules.
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  const main = join(folder, "main.js");
  chmodSync(main, 0o755);
  const help = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" });
  if (help.status !== 0) throw new Error(`scrim --help failed: ${help.stderr}`);
  writeFileSync(join(folder, "help.txt"), help.stdout);
}

function writeTypes() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", join(outdir, "types")];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the types could not be written");
}
