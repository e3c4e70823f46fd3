import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliFile, endServer } from "../../support/cli.ts";
import { HELLO, makeProject, type Project } from "../../support/project.ts";
import { available } from "../../support/require.ts";

const ESCAPE = "\x1b";
const DEPLOY = ["deploy", "--stage", "dev"];

let project: Project;
beforeAll(async () => {
  project = makeProject();
  expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
});
afterAll(() => project.dispose());

describe("without a terminal", () => {
  it.each([
    DEPLOY,
    ["diff", "--stage", "dev"],
    ["diff", "--stage", "new"],
    ["state", "list"],
    ["state", "show", "--stage", "dev"],
    ["deploy", "--stage", "../x"],
    ["--help"],
  ])("nothing is drawn, colored or asked: %s %s %s", async (...args) => {
    const { stdout, stderr } = await project.scrim(args);
    expect(stdout + stderr).not.toContain(ESCAPE);
    expect(stdout + stderr).not.toContain("\r");
  });

  it("whatever the width is said to be, lines are whole", async () => {
    const { stdout } = await project.scrim(["state", "list"], { env: { COLUMNS: "20" } });
    expect(stdout).toMatch(/^App +Stage +Last updated +Resources +Status\n/);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!available("the program `script`", hasScript))("on a terminal", () => {
  const onTerminal = (
    args: string,
    env: Readonly<Record<string, string>>,
    columns = 80,
  ): string => {
    const line = `stty cols ${columns}; '${process.execPath}' '${cliFile}' ${args}`;
    const { stdout } = spawnSync("script", ["-qec", line, "/dev/null"], {
      cwd: project.folder,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...project.env, ...env },
      encoding: "utf8",
      timeout: 30_000,
    });
    return stdout;
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are written with them
  const COLOR = /\x1b\[[\d;]*m/;

  it("problems have color", () => {
    expect(onTerminal("deploy --stage ../x", { TERM: "xterm-256color" })).toMatch(COLOR);
  });

  it("NO_COLOR is honored", () => {
    const shown = onTerminal("deploy --stage ../x", { TERM: "xterm-256color", NO_COLOR: "1" });
    expect(shown).toContain("is not a stage name");
    expect(shown).not.toMatch(COLOR);
  });

  it("a dumb one gets plain lines only", () => {
    const shown = onTerminal("deploy --stage dev", { TERM: "dumb" });
    expect(shown).toContain("No changes");
    expect(shown).not.toContain(ESCAPE);
  });

  it("one of 20 columns is not overflowed by tables", () => {
    const env = { TERM: "xterm", NO_COLOR: "1" };
    const table = onTerminal("state list", env, 20).split("\r\n");
    expect(table).toContain("Stage dev");
    expect(table.filter((line) => line.length > 20)).toEqual([]);
  });
});

describe("a folder with a name that programs stumble over", () => {
  it.each([
    "with space",
    "quote'\"s",
    "\u00fcml\u00e4ut \u4f60\u597d",
    "hash#tag",
    "per%20cent%",
    "$HOME;&|",
    "[a](b){c}*?",
  ])("is one like any other: %s", async (name) => {
    const folder = join(project.folder, name);
    for (const [file, text] of Object.entries(HELLO)) project.write(join(name, file), text);
    const home = join(folder, "the home");
    const env = { SCRIM_HOME: home, SCRIM_KEY_DIR: join(folder, "the keys") };
    try {
      const deployed = await project.scrim(DEPLOY, { cwd: folder, env });
      expect(deployed.exit, deployed.stderr).toBe(0);
      const { url } = JSON.parse(readFileSync(join(folder, ".scrim/outputs.json"), "utf8"));
      expect(await (await fetch(url)).text()).toBe("hello");
      expect(
        await project.scrim(["remove", ...DEPLOY.slice(1)], { cwd: folder, env }),
      ).toMatchObject({ exit: 0 });
    } finally {
      await endServer(home);
    }
  });

  it("may be long", async () => {
    const home = join(project.folder, ...Array(6).fill("x".repeat(60)));
    try {
      const deployed = await project.scrim(DEPLOY, { env: { SCRIM_HOME: home } });
      expect(deployed.exit, deployed.stderr).toBe(0);
    } finally {
      await endServer(home);
    }
  });
});

describe("a surrounding that cannot work", () => {
  it("is told when the folder has been deleted", () => {
    const folder = mkdtempSync(join(tmpdir(), "scrim-gone-"));
    const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" state list';
    const args = ["-c", script, "sh", folder, process.execPath, cliFile];
    const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
    expect(stderr).toContain("The folder that this command was started in does not exist any more");
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(2);
  });

  it("is told when Node.js is too old", async () => {
    project.write(
      "old.mjs",
      'Object.defineProperty(process.versions, "node", { value: "18.20.1" });\n',
    );
    const nodeFlags = ["--import", new URL(`file://${project.folder}/old.mjs`).href];
    const { exit, stderr } = await project.scrim(["state", "list"], { nodeFlags });
    expect(stderr).toContain("Scrim needs Node.js 20.19 or newer; this is 18.20.1.");
    expect(exit).toBe(2);
  });
});

describe("a reader that went away", () => {
  it("ends no deploy in the middle of it", async () => {
    const child = spawn(process.execPath, [cliFile, "deploy", "--stage", "unread"], {
      cwd: project.folder,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...project.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    child.stderr.destroy();
    const exit = await new Promise((resolve) => child.once("close", resolve));
    expect(exit).toBe(0);
    const { stdout } = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(stdout).stages).toContainEqual(
      expect.objectContaining({ stage: "unread", status: "deployed", resources: 3 }),
    );
  });
});
