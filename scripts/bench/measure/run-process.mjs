import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const REPORT = fileURLToPath(new URL("./report-usage.cjs", import.meta.url));
const TIMEOUT_MS = 60_000;

/**
 * Runs `node ...args` to its end.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<{ wallMs: number, cpuMs: number, rssMb: number, stdout: string }>}
 * @throws Error with the child's stderr when it ends with another code than 0
 */
export async function runProcess(args, { cwd = process.cwd(), env = {} } = {}) {
  const began = performance.now();
  const child = spawn(process.execPath, ["--require", REPORT, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
  });
  let wallMs = 0;
  child.once("exit", () => {
    wallMs = performance.now() - began;
  });
  const [, stdout, stderr, usage] = child.stdio;
  const [out, err, used, code] = await Promise.all([
    text(stdout),
    text(stderr),
    text(usage),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}: ${err}`);
  return { wallMs, ...JSON.parse(used), stdout: out };
}

async function text(stream) {
  let all = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) all += chunk;
  return all;
}
