import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appConfig, makeProject, type Project } from "../../support/project.ts";
import { treeDigest } from "../../support/tree-digest.ts";

const BUCKET = appConfig({ run: 'new scrim.aws.Bucket("Files");' });
const REMOVE = ["remove", "--stage", "dev"];

let project: Project;
beforeEach(async () => {
  project = makeProject({ "scrim.config.ts": BUCKET });
  expect(await project.scrim(["deploy", "--stage", "dev"])).toMatchObject({ exit: 0 });
});
afterEach(() => project.dispose());

/** What is recorded; the server writes elsewhere. */
const digest = (): string => treeDigest(join(project.home, "state"));

describe("a removal", () => {
  it("of a stage that never was is told, and makes none", async () => {
    const before = digest();
    for (const args of [
      ["remove", "--stage", "Dev"],
      ["unlock", "--stage", "Dev"],
    ]) {
      const { exit, stderr } = await project.scrim(args);
      expect(stderr).toContain("Stage Dev of hello was not found");
      expect(stderr).toContain("Run scrim state list");
      expect(exit).toBe(1);
    }
    expect(digest()).toBe(before);
  });

  it("done twice has nothing to do, and an unlock of what is not locked neither", async () => {
    expect(await project.scrim(["unlock", "--stage", "dev"])).toMatchObject({ exit: 0 });
    expect(await project.scrim(REMOVE)).toMatchObject({ exit: 0 });
    const before = digest();
    expect(await project.scrim(REMOVE)).toMatchObject({ exit: 0 });
    expect(digest()).toBe(before);
  });

  it.each([
    ["has a mistake", "export default {{{"],
    ["throws", 'throw new Error("broken");'],
    ["is gone", null],
  ])("works from what is recorded where the config %s", async (_, text) => {
    if (text === null) rmSync(join(project.folder, "scrim.config.ts"));
    else project.write("scrim.config.ts", text);
    const { exit, stdout, stderr } = await project.scrim(REMOVE);
    expect(stdout + stderr).toContain("recorded at the last deploy");
    expect(exit).toBe(0);
    const listed = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(listed.stdout).stages).toEqual([]);
  });

  it("with a broken config and nothing that tells the app is refused", async () => {
    project.write("scrim.config.ts", "export default {{{");
    rmSync(join(project.folder, ".scrim"), { recursive: true });
    const before = digest();
    const { exit, stderr } = await project.scrim(REMOVE);
    expect(stderr).toContain("scrim.config.ts:1:");
    expect(exit).toBe(2);
    expect(digest()).toBe(before);
    expect(await project.scrim([...REMOVE, "--app", "hello"])).toMatchObject({ exit: 0 });
  });
});

describe("a deploy", () => {
  it("of a config that has lost everything is refused", async () => {
    project.write("scrim.config.ts", appConfig());
    const before = digest();
    const { exit, stderr } = await project.scrim(["deploy", "--stage", "dev"]);
    expect(stderr).toContain("The config defines nothing, and the stage has 1 resources");
    expect(stderr).toContain("--allow-empty");
    expect(exit).toBe(2);
    expect(digest()).toBe(before);
  });

  it.each([
    ["run() ended early", "process.exit(0);"],
    ["run() threw", 'throw new Error("broken");'],
  ])("whose %s is not taken for one of nothing", async (_, run) => {
    project.write("scrim.config.ts", appConfig({ run }));
    const before = digest();
    expect(await project.scrim(["deploy", "--stage", "dev", "--allow-empty"])).toMatchObject({
      exit: 2,
    });
    expect(digest()).toBe(before);
  });
});
