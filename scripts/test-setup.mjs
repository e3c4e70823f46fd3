// Puts what only the largest suites need into .cache/: other versions of Node.js, from the package registry.
// `npm test` uses what is there and says what it skips.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NODES = { 22: "22.23.3", 24: "24.21.0" };
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

for (const [major, version] of Object.entries(NODES)) {
  const folder = join(root, ".cache", `node-${major}`);
  const binary = join(folder, "node_modules", `node-${platform}`, "bin", "node");
  if (existsSync(binary)) {
    process.stdout.write(`Node ${major}: ${binary}\n`);
    continue;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const wanted = `node-${platform}@${version}`;
  const result = spawnSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--force", wanted],
    { cwd: folder, stdio: ["ignore", "inherit", "inherit"] },
  );
  if (result.status !== 0 || !existsSync(binary)) {
    process.stderr.write(`Node ${major} could not be installed from the registry as ${wanted}.\n`);
    process.exitCode = 1;
    continue;
  }
  process.stdout.write(`Node ${major}: ${binary}\n`);
}
