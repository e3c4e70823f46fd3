// Puts what only the largest suites need into .cache/: other versions of Node.js from the package registry of npm,
// and imitations of AWS from that of Python.
// `npm test` uses what is there and says what it skips.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NODES = { 22: "22.23.3", 24: "24.21.0" };
const EMULATORS = { moto_server: "moto[server]==5.2.5", ministack: "ministack==1.5.33" };
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

const venv = join(root, ".cache", "emulators");
const bin = (program) => join(venv, process.platform === "win32" ? "Scripts" : "bin", program);
if (Object.keys(EMULATORS).every((program) => existsSync(bin(program)))) {
  process.stdout.write(`Emulators: ${venv}\n`);
} else {
  installEmulators();
}

function installEmulators() {
  const stdio = ["ignore", "inherit", "inherit"];
  const made = spawnSync("python3", ["-m", "venv", venv], { stdio });
  const wanted = Object.values(EMULATORS);
  const quiet = ["--quiet", "--disable-pip-version-check"];
  const result =
    made.status === 0 ? spawnSync(bin("pip"), ["install", ...quiet, ...wanted], { stdio }) : made;
  if (result.status === 0) {
    process.stdout.write(`Emulators: ${venv}\n`);
    return;
  }
  process.stderr.write(
    `${wanted.join(" and ")} could not be installed; python3 with venv is needed.\n`,
  );
  process.exitCode = 1;
}
