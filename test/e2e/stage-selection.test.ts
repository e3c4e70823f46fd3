import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appConfig, makeProject, type Project } from "../support/project.ts";

/** A preload under which the operating system knows the user by a name, or not at all. */
const userNamed = (name: string): string =>
  `import os from "node:os";
import { syncBuiltinESMExports } from "node:module";
os.userInfo = () => {
  if (${JSON.stringify(name)} === "") throw new Error("no entry in passwd");
  return { username: ${JSON.stringify(name)} };
};
syncBuiltinESMExports();
`;

describe("the stage that a command works on", () => {
  let project: Project;
  const diff = (
    args: readonly string[],
    user: string | null,
    env: Readonly<Record<string, string>> = {},
  ) => {
    if (user === null) return project.scrim(["diff", ...args], { env });
    project.write("user.mjs", userNamed(user));
    const nodeFlags = ["--import", new URL(`file://${project.folder}/user.mjs`).href];
    return project.scrim(["diff", ...args], { env, nodeFlags });
  };

  beforeAll(() => {
    project = makeProject({ "scrim.config.ts": appConfig() });
  });
  afterAll(() => project.dispose());

  it("is told with what decided it: flag, environment, .env, username, in this order", async () => {
    project.write(".env", "SCRIM_STAGE=from-file\n");
    const env = { SCRIM_STAGE: "from-env" };
    const flag = await diff(["--stage", "from-flag"], "ann", env);
    expect(flag.stdout).toContain("Stage  from-flag (from --stage)");
    expect((await diff([], "ann", env)).stdout).toContain("Stage  from-env (from SCRIM_STAGE)");
    expect((await diff([], "ann")).stdout).toContain("Stage  from-file (from .env)");
    project.write(".env", "OTHER=1\n");
    const personal = await diff([], "ann");
    expect(personal.stdout).toMatch(/Stage {2}ann \(from (your )?username\)/);
    expect(personal.stderr).toBe("");
  });

  it("is told in documents, too", async () => {
    const args = ["env", "--explain", "--json"];
    const { stdout } = await project.scrim(args, { env: { SCRIM_STAGE: "from-env" } });
    expect(JSON.parse(stdout)).toMatchObject({ stage: "from-env", stageSource: "SCRIM_STAGE" });
  });

  it.each([
    ["john.doe", "john-doe"],
    ["CORP\\Jos\u00e9", "CORP-Jose"],
    ["x".repeat(80), "x".repeat(63)],
  ])("is what a username gives: %s", async (username, stage) => {
    expect((await diff([], username)).stdout).toContain(`Stage  ${stage} (`);
  });

  it.each([
    ["root", {}, "Many people share this username"],
    ["ann", { CI: "true" }, "This looks like a CI job"],
  ])("is a username under a warning where it names nobody: %s %j", async (user, env, says) => {
    const { exit, stdout, stderr } = await diff([], user, env);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Stage  ${user} (`);
    expect(stderr).toContain(`Warning: The stage is ${user}, after the username`);
    expect(stderr).toContain(says);
    const named = await diff(["--stage", user], user, env);
    expect(named.stderr).toBe("");
  });

  it.each(["", "\u4f60\u597d", "---"])("must be named for the username %j", async (username) => {
    const { exit, stderr } = await diff([], username);
    expect(exit).toBe(2);
    expect(stderr).toContain("No stage was named and the username gives none");
    expect(stderr).toContain("--stage, SCRIM_STAGE");
  });

  it("is asked for before a removal when it was not named by a flag", async () => {
    expect((await project.scrim(["deploy", "--stage", "kept"])).exit).toBe(0);
    project.write(".env", "SCRIM_STAGE=kept\n");
    project.write("scrim.config.ts", appConfig({ run: 'new scrim.aws.Bucket("Files");' }));
    expect((await project.scrim(["deploy"])).exit).toBe(0);
    const refused = await project.scrim(["remove"]);
    expect(refused.exit).toBe(2);
    expect(refused.stdout).toContain("Stage  kept (from .env)");
    expect(refused.stderr).toContain("Stage kept was not named, so its removal must be confirmed");
    const listed = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(listed.stdout).stages).toMatchObject([{ stage: "kept", resources: 1 }]);
    expect((await project.scrim(["remove", "--yes"])).exit).toBe(0);
  });
});

describe("a variable of the config", () => {
  let project: Project;
  const levelIn = async (stage: string, env: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await project.scrim(["deploy", "--stage", stage, "--json"], { env });
    return JSON.parse(stdout).outputs.level;
  };

  beforeAll(() => {
    const run = 'return { level: process.env.LEVEL ?? "none" };';
    project = makeProject({
      "scrim.config.ts": appConfig({ run }),
      ".env.dev": "LEVEL=dev-file\n",
    });
  });
  afterAll(() => project.dispose());

  it("comes from the process, then .env, then .env of the stage", async () => {
    expect(await levelIn("other")).toBe("none");
    expect(await levelIn("dev")).toBe("dev-file");
    project.write(".env", "LEVEL=shared-file\n");
    expect(await levelIn("dev")).toBe("shared-file");
    expect(await levelIn("other")).toBe("shared-file");
    expect(await levelIn("dev", { LEVEL: "process" })).toBe("process");
    expect(await levelIn("dev", { LEVEL: "" })).toBe("");
  });

  it("is never one that steers the tool itself", async () => {
    project.write(".env", "NODE_OPTIONS=--import=./evil.mjs\nPATH=/nowhere\nLEVEL=ok\n");
    const { exit, stderr } = await project.scrim(["diff", "--stage", "dev"]);
    expect(exit).toBe(0);
    expect(stderr).toContain("NODE_OPTIONS in .env is ignored");
    expect(stderr).toContain("PATH in .env is ignored");
  });
});
