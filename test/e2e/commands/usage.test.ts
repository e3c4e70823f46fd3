import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { scrim } from "../../support/cli.ts";

const run = (...args: readonly string[]) => scrim(args, { cwd: tmpdir() });

describe("a command line that is not understood", () => {
  it.each([
    [["deplyo"], 'There is no command "deplyo"', "Did you mean deploy?"],
    [["state", "lst"], 'There is no command "lst"', "Did you mean list?"],
    [["constructor"], 'There is no command "constructor"', "Run scrim --help"],
    [["deploy", "--stagee", "x"], "There is no flag --stagee here", "Did you mean --stage?"],
    [["deploy", "--stage"], "--stage needs a value", ""],
    [["deploy", "--stage="], "--stage needs a value, it was empty", ""],
    [["deploy", "--stage", "--json"], "--stage needs a value, and --json follows instead", ""],
    [["deploy", "--stage", "a", "--stage", "b"], "--stage is given twice", ""],
    [["deploy", "--stage", "../x"], "is not a stage name", ""],
    [["deploy", "extra"], 'There is one argument too many: "extra"', ""],
    [["secret", "set"], "The argument <name> is missing", ""],
  ])("is refused with exit code 2: %j", async (args, message, hint) => {
    const { exit, stdout, stderr } = await run(...args);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("is refused as a document under --json", async () => {
    const { exit, stderr } = await run("deploy", "--stagee", "x", "--json");
    const { version, error } = JSON.parse(stderr);
    expect([exit, version, error.code, error.hint]).toEqual([
      2,
      1,
      "USAGE",
      "Did you mean --stage?",
    ]);
  });

  it.each([[[]], [["state"]], [["secret"]]])(
    "tells what there is when it names no command: %j",
    async (args) => {
      const { exit, stdout, stderr } = await run(...args);
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
      expect(stderr).toContain("COMMANDS");
    },
  );
});

describe("what is asked for", () => {
  it("is told on standard output with exit code 0", async () => {
    const help = await run("--help");
    expect(help).toMatchObject({ exit: 0, stderr: "" });
    expect(help.stdout).toContain("scrim deploy [flags]");
    const version = await run("--version");
    expect(version.exit).toBe(0);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
