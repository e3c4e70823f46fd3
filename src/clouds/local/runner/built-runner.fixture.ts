import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface BuiltRunner {
  readonly runnerEntry: string;
  readonly workerEntry: string;
}

/** Bundles the two entries of a runner into `folder`, side by side as in the package. */
export async function buildRunner(folder: string): Promise<BuiltRunner> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{"type":"module"}\n');
  await build({
    entryPoints: {
      runner: fileURLToPath(new URL("./main.ts", import.meta.url)),
      worker: fileURLToPath(new URL("./worker.ts", import.meta.url)),
    },
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return { runnerEntry: join(folder, "runner.js"), workerEntry: join(folder, "worker.js") };
}
