import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "./measure/run-process.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cli = join(root, "dist/cli/main.js");

/**
 * A project in a temporary folder, with a home and keys of its own.
 *
 * @param {Readonly<Record<string, string>>} files
 */
export function makeProject(files) {
  const folder = mkdtempSync(join(tmpdir(), "scrim-bench-"));
  const home = join(folder, "home");
  const env = { SCRIM_HOME: home, SCRIM_KEY_DIR: join(folder, "keys") };
  const write = (file, text) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/scrim"));
  write("package.json", '{ "private": true, "type": "module" }\n');
  for (const [file, text] of Object.entries(files)) write(file, text);
  return {
    folder,
    home,
    env,
    write,
    /** Runs a command line to its end; what the process used is in the answer. */
    scrim: (...args) => runProcess([cli, ...args], { cwd: folder, env }),
    /** Starts a command line that runs until it is killed. */
    start: (...args) =>
      spawn(process.execPath, [cli, ...args], {
        cwd: folder,
        env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
        stdio: ["ignore", "pipe", "ignore"],
      }),
    outputs: () => JSON.parse(readFileSync(join(folder, ".scrim/outputs.json"), "utf8")),
    /** The process of the local cloud's server. */
    serverPid: () => JSON.parse(readFileSync(join(home, "local/server.json"), "utf8")).pid,
    async dispose() {
      if (existsSync(join(home, "local/server.json"))) await this.scrim("local", "stop");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The text of a config whose `run()` has this body. */
export function config(body) {
  return `export default $config({
  app: () => ({ name: "bench", home: "local", removal: "remove", protect: false }),
  async run() {
${body}
  },
});
`;
}
