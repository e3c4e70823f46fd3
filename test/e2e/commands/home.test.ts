import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../../support/project.ts";

let project: Project;
const run = (...args: readonly string[]) => project.scrim(args);
const json = async (...args: readonly string[]) => {
  const result = await run(...args, "--json");
  expect(result.exit, result.stderr).toBe(0);
  return JSON.parse(result.stdout);
};

beforeAll(() => {
  project = makeProject();
});
afterAll(() => project.dispose());

describe("scrim secret", () => {
  it("loads a file in the format of .env files, all of it or nothing", async () => {
    project.write("good.env", '# comment\nA=1\nB="two\nlines"\n');
    project.write("bad.env", "A=1\nno assignment\n");
    expect(await json("secret", "load", "good.env", "--stage", "x")).toMatchObject({
      stage: "x",
      names: ["A", "B"],
    });
    for (const [file, says] of [
      ["bad.env", "Line 2"],
      ["missing.env", "There is no file"],
    ] as const) {
      const refused = await run("secret", "load", file, "--fallback");
      expect(refused).toMatchObject({ exit: 2, stdout: "" });
      expect(refused.stderr).toContain(says);
    }
    const piped = await project.scrim(["secret", "load", "-", "--fallback"], { input: "C=3\n" });
    expect(piped.exit).toBe(0);
    const { secrets } = await json("secret", "list", "--stage", "x");
    expect(secrets).toMatchObject([
      { name: "A", source: "stage" },
      { name: "B", source: "stage" },
      { name: "C", source: "fallback" },
    ]);
  });

  it("removes a name, and refuses one that is not set", async () => {
    expect((await run("secret", "remove", "A", "--stage", "x")).exit).toBe(0);
    const again = await run("secret", "remove", "A", "--stage", "x");
    expect(again).toMatchObject({ exit: 2 });
    expect(again.stderr).toContain("is not set");
    expect((await json("secret", "list", "--stage", "x")).secrets).toHaveLength(2);
  });

  it("takes its keys to another machine", async () => {
    const { keyId } = await json("secret", "rotate-key");
    const exported = await run("secret", "key", "export");
    expect(exported).toMatchObject({ exit: 0, stderr: "" });
    expect(exported.stdout).toContain(keyId);
    const elsewhere = { SCRIM_KEY_DIR: join(project.home, "../other-keys") };
    const importing = { input: exported.stdout, env: elsewhere };
    const imported = await project.scrim(["secret", "key", "import", "--json"], importing);
    expect(JSON.parse(imported.stdout).added).toContain(keyId);
    const twice = await project.scrim(["secret", "key", "import", "--json"], importing);
    expect(JSON.parse(twice.stdout).added).toEqual([]);
    const wrong = await project.scrim(["secret", "key", "import"], { input: "nonsense\n" });
    expect(wrong).toMatchObject({ exit: 2 });
  });
});

describe("scrim env --explain", () => {
  it("tells which file set which variable, and never a value", async () => {
    project.write(".env", "SHARED=from-env\nONLY=one\nTAKEN=file\n");
    project.write(".env.x", "SHARED=from-stage\nEXTRA=two\n");
    const env = { TAKEN: "process" };
    const args = ["env", "--explain", "--stage", "x"];
    const explained = JSON.parse((await project.scrim([...args, "--json"], { env })).stdout);
    expect(explained).toMatchObject({ stage: "x", stageSource: "--stage" });
    expect(explained.variables).toEqual([
      { key: "EXTRA", source: ".env.x", line: 2, overridden: [] },
      { key: "ONLY", source: ".env", line: 2, overridden: [] },
      { key: "SHARED", source: ".env", line: 1, overridden: [".env.x"] },
      { key: "TAKEN", source: "environment", line: null, overridden: [".env"] },
    ]);
    const text = await project.scrim(args, { env });
    expect(text.stdout).toMatch(/SHARED +\.env:1 +\.env\.x/);
    expect(text.stdout + text.stderr).not.toMatch(/from-env|from-stage|one\b|two\b|process\b/);
    expect((await project.scrim(args, { cwd: "/" })).exit).toBe(2);
  });
});

describe("scrim local", () => {
  it("starts nothing to tell that nothing runs", async () => {
    expect(await json("local", "status")).toEqual({
      version: 1,
      home: project.home,
      running: false,
      warnings: [],
    });
    expect(await json("local", "stop")).toMatchObject({ stopped: false });
  });

  it("stops the server and brings every stage back", async () => {
    const { outputs } = await json("deploy", "--stage", "x");
    expect((await fetch(outputs.url)).status).toBe(200);
    expect(await json("local", "stop")).toMatchObject({ stopped: true });
    await expect(fetch(outputs.url)).rejects.toThrow();
    const { stages } = await json("local", "start");
    expect(stages).toMatchObject([
      { app: "hello", stage: "x", resources: 3, apis: [{ name: "Api", url: outputs.url }] },
    ]);
    expect((await fetch(outputs.url)).status).toBe(200);
    expect((await run("local", "status")).stdout).toContain(outputs.url);
    expect((await run("local", "start", "--foreground")).exit).toBe(2);
    await run("local", "stop");
  });

  it("serves in the foreground until it is told to end", async () => {
    const serving = project.start(["local", "start", "--foreground"]);
    const untilMs = performance.now() + 20_000;
    while (!serving.output().stdout.includes("serves")) {
      if (performance.now() > untilMs) throw new Error(serving.output().stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await json("local", "status")).running).toBe(true);
    serving.kill("SIGTERM");
    expect((await serving.result).exit).toBe(0);
    expect((await json("local", "status")).running).toBe(false);
  });
});

describe("scrim state list", () => {
  it("lists stages of which only secrets are there, and marks secrets changed since", async () => {
    await run("secret", "set", "D", "4", "--stage", "y");
    await run("secret", "set", "D", "4", "--stage", "x");
    const { stages } = await json("state", "list");
    expect(stages).toMatchObject([
      { stage: "x", status: "deployed", staleSecrets: true, resources: 3 },
      { stage: "y", status: "not deployed", resources: null, updatedAt: null },
    ]);
    const { stdout } = await run("state", "list");
    expect(stdout.split("\n")[0]).toMatch(/^App +Stage +Last updated +Resources +Status$/);
    expect(stdout).toMatch(/hello +x +\d{4}-.* UTC +3 +deployed, secrets changed since/);
    expect(stdout).toMatch(/hello +y +never +\? +not deployed/);
  });

  it("lists the others when one cannot be read, and exits 7", async () => {
    const logs = readdirSync(project.home, { recursive: true, encoding: "utf8" }).filter((path) =>
      /state\/.*s-x.*\/log\//.test(path),
    );
    expect(logs.length).toBeGreaterThan(0);
    for (const path of logs) writeFileSync(join(project.home, path), "{}\n");
    const listed = await run("state", "list", "--json");
    expect(listed.exit).toBe(7);
    expect(JSON.parse(listed.stdout).stages).toMatchObject([
      { stage: "x", status: "corrupt", problem: expect.any(String) },
      { stage: "y", status: "not deployed" },
    ]);
  });

  it("says that there are none in an empty home", async () => {
    const env = { SCRIM_HOME: join(project.home, "../empty") };
    const listed = await project.scrim(["state", "list"], { env, cwd: "/" });
    expect(listed).toMatchObject({ exit: 0 });
    expect(listed.stdout).toContain("No stages");
  });
});
