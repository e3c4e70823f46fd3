import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appConfig, makeProject, type Project } from "../../support/project.ts";
import { refuses } from "../../support/refused-rows.ts";

const named = (name: string, shown: string) => ({
  what: `the stage ${JSON.stringify(name)}`,
  args: ["deploy", "--stage", name],
  says: [`${shown} from --stage is not a stage name`],
});

refuses("a stage's name", [
  named("../prod", '"../prod"'),
  named("a/b", '"a/b"'),
  named("a\\b", '"a\\\\b"'),
  named(".", '"."'),
  named("..", '".."'),
  named("pr\u00f6d", '"pr\\u{f6}d"'),
  named("\u{1f642}", '"\\u{1f642}"'),
  named("\u202edorp", '"\\u{202e}dorp"'),
  named("a\nb", '"a\\nb"'),
  named("a b", '"a b"'),
  named(" dev", '" dev"'),
  named("%2e", '"%2e"'),
  { ...named("-x", '"-x"'), args: ["deploy", "--stage=-x"] },
  {
    what: "a name of 64 characters",
    args: ["deploy", "--stage", "x".repeat(64)],
    says: ["It has 64 characters; at most 63 are allowed."],
  },
  {
    what: "an empty SCRIM_STAGE, which must not lead to the personal stage",
    args: ["deploy"],
    env: { SCRIM_STAGE: "" },
    says: ["SCRIM_STAGE is empty"],
  },
  {
    what: "a SCRIM_STAGE with spaces and a line break",
    args: ["deploy"],
    env: { SCRIM_STAGE: "my stage\n" },
    says: ['"my stage\\n" from SCRIM_STAGE is not a stage name'],
  },
  {
    what: "an empty SCRIM_STAGE in .env",
    args: ["deploy"],
    files: { ".env": "SCRIM_STAGE=\n" },
    says: ["SCRIM_STAGE in .env is empty"],
  },
  {
    what: "a stage that is only looked at",
    args: ["state", "show", "--stage", "../prod"],
    says: ['"../prod" from --stage is not a stage name'],
  },
]);

describe("names that programs and systems reserve", () => {
  const NAMES = ["Dev", "dev", "con", "nul", "__proto__", "constructor", "_fallback", "toString"];
  let project: Project;
  beforeAll(() => {
    project = makeProject({ "scrim.config.ts": appConfig({ run: "return { at: $app.stage };" }) });
  });
  afterAll(() => project.dispose());

  it("are ordinary stages, each with its own state and secrets", async () => {
    for (const stage of NAMES) {
      const deployed = await project.scrim(["deploy", "--stage", stage, "--json"]);
      expect(deployed).toMatchObject({ exit: 0 });
      expect(JSON.parse(deployed.stdout).outputs).toEqual({ at: stage });
    }
    await project.scrim(["secret", "set", "Token", "own", "--stage", "__proto__"]);
    const lists = await Promise.all(
      NAMES.map((stage) => project.scrim(["secret", "list", "--stage", stage, "--json"])),
    );
    expect(lists.map(({ stdout }) => JSON.parse(stdout).secrets.length)).toEqual(
      NAMES.map((stage) => (stage === "__proto__" ? 1 : 0)),
    );
    const { stdout } = await project.scrim(["state", "list", "--json"]);
    const listed = JSON.parse(stdout).stages as readonly { stage: string; status: string }[];
    expect(listed.map(({ stage }) => stage).sort()).toEqual([...NAMES].sort());
  });

  it("have folders that differ where upper and lower case are the same", () => {
    const folders = readdirSync(join(project.home, "state/a-hello"));
    expect(folders).toHaveLength(NAMES.length);
    expect(new Set(folders.map((folder) => folder.toLowerCase())).size).toBe(NAMES.length);
  });
});
