import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openKeyFolder } from "../../src/home/keys/stored-key-ring.ts";
import { type OpenHome, openDirectoryHome } from "../../src/home/open-home.ts";
import { systemClock } from "../../src/system/clock.ts";
import { systemRandom } from "../../src/system/random.ts";
import { appConfig, makeProject, type Project } from "../support/project.ts";
import { root } from "../support/root.ts";
import { treeDigest } from "../support/tree-digest.ts";

const APP = "hello";
const KILL_AT = join(root, "test/e2e/kill/kill-at.mjs");
const RUN = 'const token = new scrim.Secret("Token"); return { token: token.value };';

function homeOf({ home, keys }: Project): OpenHome {
  const parts = { clock: systemClock, random: systemRandom };
  return openDirectoryHome(home, {
    ...parts,
    keys: openKeyFolder(keys, systemRandom, systemClock),
  });
}

let project: Project;
beforeAll(async () => {
  project = makeProject({ "scrim.config.ts": appConfig({ run: RUN }) });
  for (const to of [["--stage", "dev"], ["--stage", "prod"], ["--fallback"]]) {
    await project.scrim(["secret", "set", "Token", `of ${to.at(-1)}`, ...to]);
  }
  expect(await project.scrim(["deploy", "--stage", "dev"])).toMatchObject({ exit: 0 });
});
afterAll(() => project.dispose());

/** Home and keys as they were, again before each test. */
const saved = (): string => join(project.home, "../saved");
beforeEach(() => {
  for (const name of ["home", "keys"]) {
    cpSync(join(project.home, "..", name), join(saved(), name), { recursive: true });
  }
});
afterEach(() => {
  for (const name of ["home", "keys"]) {
    rmSync(join(project.home, "..", name), { recursive: true });
    cpSync(join(saved(), name), join(project.home, "..", name), { recursive: true });
  }
  rmSync(saved(), { recursive: true });
});

describe("a rotation of the key", () => {
  it("that is killed anywhere leaves every secret readable, and is finished by a repeat", async () => {
    for (let at = 1; ; at += 1) {
      const env = { SCRIM_TEST_KILL_AT: String(at) };
      const nodeFlags = ["--import", KILL_AT];
      const { exit } = await project.scrim(["secret", "rotate-key"], { env, nodeFlags });
      if (exit === 0) {
        // A new key and three logs, each before and after its commit.
        expect(at).toBeGreaterThan(8);
        return;
      }
      expect(exit).toBe("SIGKILL");
      const home = homeOf(project);
      for (const [stage, value] of [
        ["dev", "of dev"],
        ["prod", "of prod"],
        [null, "of --fallback"],
      ] as const) {
        expect(await home.secrets(APP, stage).read()).toMatchObject({
          values: new Map([["Token", value]]),
        });
      }
    }
  });

  it("shows in the next deploy that sealed values changed, and nothing else", async () => {
    expect(await project.scrim(["secret", "rotate-key"])).toMatchObject({ exit: 0 });
    const listed = JSON.parse((await project.scrim(["state", "list", "--json"])).stdout);
    expect(listed.stages).toContainEqual(
      expect.objectContaining({ stage: "dev", staleSecrets: true }),
    );
    expect(await project.scrim(["deploy", "--stage", "dev"])).toMatchObject({ exit: 0 });
    const ids = await homeOf(project).keys.ids(APP);
    expect(ids).toHaveLength(2);
  });
});

describe("a key", () => {
  const keyFolder = (): string => join(project.keys, "a-hello");
  const keyFile = (): string => join(keyFolder(), readdirSync(keyFolder())[0] ?? "");
  const idOf = async (): Promise<string> => (await homeOf(project).keys.ids(APP))[0] ?? "";

  it("that is missing is named, nothing is changed, and what needs no key works", async () => {
    const id = await idOf();
    rmSync(keyFolder(), { recursive: true });
    const before = treeDigest(project.home);
    for (const args of [["deploy", "--stage", "dev"], ["diff", "--stage", "dev"], SET]) {
      const { exit, stderr } = await project.scrim(args);
      expect(stderr).toContain(`The secrets of hello need key ${id}, which is not here`);
      expect(exit).toBe(6);
    }
    expect(treeDigest(project.home)).toBe(before);
    expect(treeDigest(keyFolder())).toBe("");
    for (const args of KEYLESS) {
      const { exit, stderr } = await project.scrim(args);
      expect(exit, stderr).toBe(0);
    }
  });

  it("that is another one is told with both ids", async () => {
    const id = await idOf();
    rmSync(keyFolder(), { recursive: true });
    const other = (await homeOf(project).keys.create(APP)).id;
    const before = treeDigest(project.home);
    const { exit, stderr } = await project.scrim(["deploy", "--stage", "dev"]);
    expect(stderr).toContain(`The secrets of hello need key ${id}`);
    expect(stderr).toContain(`holds ${other} for this app`);
    expect(exit).toBe(6);
    expect(treeDigest(project.home)).toBe(before);
  });

  it("that is damaged is told as such, and is not shown", async () => {
    chmodSync(keyFile(), 0o600);
    writeFileSync(keyFile(), "scrim-key-1.0000000000000000.QUJDREVG\n");
    const { exit, stderr } = await project.scrim(["deploy", "--stage", "dev", "--verbose"]);
    expect(stderr).toContain(`The file ${keyFile()} is not a key`);
    expect(stderr).not.toContain("QUJDREVG");
    expect(exit).toBe(6);
  });

  it("that others may read is used, with a warning that says what to do", async () => {
    chmodSync(keyFile(), 0o644);
    for (const args of [["deploy", "--stage", "dev"], SET]) {
      const { exit, stderr } = await project.scrim(args);
      expect(stderr).toContain(`Warning: Other users may read the key ${keyFile()}`);
      expect(stderr).toContain(`Run: chmod 600 ${keyFile()}`);
      expect(exit).toBe(0);
    }
  });

  it("in a folder that others may write to is refused", async () => {
    chmodSync(project.keys, 0o777);
    const { exit, stderr } = await project.scrim(SET);
    expect(stderr).toContain(`Other users may write to ${project.keys}`);
    expect(exit).toBe(6);
  });
});

const SET = ["secret", "set", "Token", "new", "--stage", "dev"];
const KEYLESS = [
  ["state", "list"],
  ["state", "show", "--stage", "dev"],
  ["secret", "list", "--stage", "dev"],
  ["unlock", "--stage", "dev"],
  ["remove", "--stage", "dev"],
];
