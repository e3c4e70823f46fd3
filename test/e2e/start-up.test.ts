import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cliFile, scrim } from "../support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "scrim-start-"));
const env = { SCRIM_HOME: join(folder, "home"), SCRIM_KEY_DIR: join(folder, "keys") };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same command line without what main.js answers by itself. */
function program(args: readonly string[]): Promise<{ stdout: string; exit: number | string }> {
  const file = JSON.stringify(join(dirname(cliFile), "program.js"));
  const script = `require(${file}).runProgram(${JSON.stringify(args)}).then((code) => { process.exitCode = code; });`;
  return scrim(["--ignored"], { cwd: folder, env, nodeFlags: ["--eval", script, "--"] });
}

describe("what the command line answers without loading the tool", () => {
  it.each([["--help"], ["-h"], ["--version"], ["-v"]])(
    "is what the tool says: %s",
    async (flag) => {
      const quick = await scrim([flag], { cwd: folder, env });
      expect(quick.stdout.length).toBeGreaterThan(4);
      expect(quick).toEqual({ exit: 0, stdout: (await program([flag])).stdout, stderr: "" });
    },
  );

  it("is left to the tool where more is asked", async () => {
    const { stdout } = await scrim(["deploy", "--help"], { cwd: folder, env });
    expect(stdout).toContain("scrim deploy --stage production");
  });
});

describe("the listing of stages, which is a program of its own", () => {
  it.each([
    [["state", "list", "--json"]],
    [["state", "list", "--help"]],
    [["state", "list", "--al"]],
    [["state", "list", "more"]],
  ])("answers as the tool does: %j", async (args) => {
    const { exit, stdout } = await scrim(args, { cwd: folder, env });
    expect({ exit, stdout }).toEqual({ exit, stdout: (await program(args)).stdout });
    expect((await program(args)).exit).toBe(exit);
  });
});
