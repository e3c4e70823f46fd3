import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * Bundles deploy.mjs beside it; returns the bundle's path.
 *
 * @param {string} folder inside the repository, where its packages are found
 */
export async function bundleDeploy(folder) {
  const outfile = join(folder, "deploy.cjs");
  await build({
    entryPoints: [join(here, "deploy.mjs")],
    outfile,
    bundle: true,
    format: "cjs",
    define: { "import.meta.url": "moduleUrl" },
    banner: {
      js: `"use strict"; const moduleUrl = require("node:url").pathToFileURL(__filename).href;`,
    },
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  return outfile;
}
