// Builds dist/: the command line and the local cloud's processes bundled with splitting (hundreds of small modules
// start slowly), the libraries that users import, and the types of what is public.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pkg = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const typesToo = !process.argv.includes("--no-types");
const outdirAt = process.argv.indexOf("--outdir");
const outdir = outdirAt === -1 ? join(root, "dist") : resolve(process.argv[outdirAt + 1] ?? "dist");

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    "cli/main": "src/cli/main.ts",
    "runtime/index": "src/runtime/index.ts",
    "local/server": "src/clouds/local/server/main.ts",
    "local/runner": "src/clouds/local/runner/main.ts",
    "local/worker": "src/clouds/local/runner/worker.ts",
  },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "chunks/[name]-[hash]",
  external: Object.keys(pkg.dependencies),
  define: { SCRIM_VERSION: JSON.stringify(pkg.version) },
  legalComments: "none",
  logLevel: "warning",
});
chmodSync(join(outdir, "cli/main.js"), 0o755);

    "runtime/compose-authorizer": "src/runtime/compose-authorizer.ts",
    "auth/index": "src/auth/index.ts",
    "auth/adapter/index": "src/auth/adapter/index.ts",
if (typesToo) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const result = spawnSync(
    process.execPath,
    [tsc, "-p", "tsconfig.build.json", "--outDir", join(outdir, "types")],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
  if (result.status !== 0) process.exit(result.status ?? 1);
}
