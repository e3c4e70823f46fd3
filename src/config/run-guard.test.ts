import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configWith, projectWith } from "./project.fixture.ts";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(here, "../../node_modules/.scrim-test-"));
const driver = join(folder, "driver.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [join(here, "load-driver.fixture.ts")],
    outfile: driver,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Runs the driver on a config file in a process of its own. */
async function runFile(configFile: string, timeoutMs = 20_000): Promise<Outcome> {
  const child = spawn(process.execPath, [driver, configFile, String(timeoutMs)], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 25_000,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const exit = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  return { exit, stdout, stderr, result: last.startsWith("{") ? JSON.parse(last) : {} };
}

function run(config: string, timeoutMs?: number): Promise<Outcome> {
  const project = projectWith({ "scrim.config.ts": config });
  return runFile(join(project, "scrim.config.ts"), timeoutMs);
}

describe("a config in a process of its own", () => {
  it("works in a folder whose name needs escaping everywhere", async () => {
    const project = projectWith({
      "a #1 %20 \u00fc 'q'/scrim.config.ts": configWith("return { ok: 1 };"),
    });
    const outcome = await runFile(join(project, "a #1 %20 \u00fc 'q'/scrim.config.ts"));
    expect(outcome).toMatchObject({ exit: 0, result: { outputs: { ok: 1 } } });
  });

  it("prints to stderr, so that stdout holds results only", async () => {
    const noisy = 'console.log("one"); process.stdout.write("two\\n"); return { ok: 1 };';
    const outcome = await run(configWith(noisy, 'console.info("zero");'));
    expect(outcome.exit).toBe(0);
    expect(outcome.stdout.split("\n")).toHaveLength(2);
    expect(outcome.stderr).toBe("zero\none\ntwo\n");
  });

  it.each([
    ["process.exit(0) in run()", configWith("process.exit(0);"), "CONFIG_ENDED_EARLY"],
    [
      "process.exit(0) that run() catches",
      configWith("try { process.exit(0); } catch {} return {};"),
      "CONFIG_ENDED_EARLY",
    ],
    ["process.exit(0) at the top level", configWith("", "process.exit(0);"), "CONFIG_ENDED_EARLY"],
    [
      "a promise that never settles",
      configWith('new scrim.aws.Bucket("B"); await new Promise(() => {});'),
      "CONFIG_ENDED_EARLY",
    ],
    [
      "a rejection that nobody handles",
      configWith('Promise.reject(new Error("lost")); return {};'),
      "CONFIG_THREW",
    ],
    [
      "an error in a callback",
      configWith(
        'setTimeout(() => { throw new Error("late"); }, 1); await new Promise((r) => setTimeout(r, 500));',
      ),
      "CONFIG_THREW",
    ],
  ])("ends with 2 after %s", async (_, config, code) => {
    const outcome = await run(config);
    expect(outcome).toMatchObject({ exit: 2, result: { code } });
  });

  it("ends with 2 when it waits for ever", async () => {
    const wait = "await new Promise((resolve) => setTimeout(resolve, 1e8));";
    const outcome = await run(configWith(wait), 600);
    expect(outcome).toMatchObject({ exit: 2, result: { code: "CONFIG_TIMEOUT" } });
  });

  it.each([
    ["in run()", configWith("while (true);")],
    ["after an await", configWith("await null; for (;;) try { JSON.parse('{') } catch {}")],
    [
      "in a timer",
      configWith("setTimeout(() => { while (true); }, 20); await new Promise(() => {});"),
    ],
    ["at the top level", configWith("", "while (true);")],
  ])("ends with 2 when it loops for ever %s", async (_, config) => {
    const outcome = await run(config, 600);
    expect(outcome).toMatchObject({ exit: 2, stdout: "" });
    expect(outcome.stderr).toMatch(/^Error: .* did not finish within 0\.6 s\n.*\n.*\n$/);
  });

  it("loads no bundler when nothing has changed", async () => {
    const project = projectWith({ "scrim.config.ts": configWith("return {};") });
    const file = join(project, "scrim.config.ts");
    expect(await runFile(file)).toMatchObject({ exit: 0, result: { bundler: true } });
    expect(await runFile(file)).toMatchObject({ exit: 0, result: { bundler: false } });
  });
});
