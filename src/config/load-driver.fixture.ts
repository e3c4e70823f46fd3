import { createRequire } from "node:module";
import { DiagnosticError } from "../model/diagnostic.ts";
import { loadApp } from "./load.ts";

// Loads and evaluates one config as a command would, for tests of configs that would take a test's own process down.
// Arguments: the config's file, the bound in milliseconds. Prints what came of it as JSON on the last line of stdout.

const [, , configFile = "", timeoutMs = "60000"] = process.argv;
const started = performance.now();
try {
  const loaded = await loadApp({
    configFile,
    stage: "alice",
    env: {},
    timeoutMs: Number(timeoutMs),
  });
  const { nodes, outputs } = await loaded.evaluate();
  const elapsedMs = performance.now() - started;
  report({ nodes: nodes.map((node) => node.name), outputs, elapsedMs, bundler: isBundlerLoaded() });
} catch (error) {
  if (!(error instanceof DiagnosticError)) throw error;
  report(error.diagnostics[0], error.exit);
}

function isBundlerLoaded(): boolean {
  const { cache } = createRequire(import.meta.url);
  return Object.keys(cache).some((file) => file.includes("/node_modules/esbuild/"));
}

/** Leaves as commands do, without waiting for what the config may have started. */
function report(result: unknown, exit = 0): void {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(exit));
}
