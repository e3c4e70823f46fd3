import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../model/diagnostic.ts";
import { parseEnv } from "./parse-env.ts";
import { type StageChoices, selectStage } from "./select-stage.ts";

const nothing: StageChoices = {
  flag: null,
  processEnv: {},
  envFile: null,
  username: () => "alice",
};

function codeOf(choices: Partial<StageChoices>): string {
  try {
    selectStage({ ...nothing, ...choices });
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0].code;
    throw error;
  }
  return "none";
}

describe("the stage", () => {
  const envFile = parseEnv("SCRIM_STAGE=file", ".env");
  const processEnv = { SCRIM_STAGE: "env" };

  it("is that of the flag, then of the environment, then of .env, then the username", () => {
    const chosen = (choices: Partial<StageChoices>) => {
      const { name, source } = selectStage({ ...nothing, ...choices });
      return [name, source];
    };
    expect(chosen({ flag: "flag", processEnv, envFile })).toEqual(["flag", "--stage"]);
    expect(chosen({ processEnv, envFile })).toEqual(["env", "SCRIM_STAGE"]);
    expect(chosen({ envFile })).toEqual(["file", ".env"]);
    expect(chosen({})).toEqual(["alice", "username"]);
  });

  it("is never guessed when a higher choice is empty or wrong", () => {
    expect(codeOf({ flag: "" })).toBe("STAGE_EMPTY");
    expect(codeOf({ processEnv: { SCRIM_STAGE: "" }, envFile })).toBe("STAGE_EMPTY");
    expect(codeOf({ envFile: parseEnv("SCRIM_STAGE=", ".env") })).toBe("STAGE_EMPTY");
    for (const wrong of ["../prod", "a b", "a\n", "-x", "pr\u00f6d", "a".repeat(64)]) {
      expect(codeOf({ processEnv: { SCRIM_STAGE: wrong } })).toBe("STAGE_NAME_INVALID");
    }
  });

  it.each([
    ["john.doe", "john-doe"],
    ["CORP\\Jos\u00e9", "CORP-Jose"],
    ["Alice", "Alice"],
    ["_svc", "_svc"],
    ["-x-", "x"],
    ["a b@c.d", "a-b-c-d"],
    ["x".repeat(80), "x".repeat(63)],
  ])("after the username %j is %j", (username, name) => {
    expect(selectStage({ ...nothing, username: () => username })).toMatchObject({
      name,
      warnings: [],
    });
  });

  it("comes with a warning when the username says little", () => {
    for (const username of ["root", "Runner", "ubuntu"]) {
      const { warnings } = selectStage({ ...nothing, username: () => username });
      expect(warnings.map(({ code }) => code)).toEqual(["STAGE_FROM_USERNAME"]);
    }
    const inCi = selectStage({ ...nothing, processEnv: { CI: "true" } });
    expect(inCi).toMatchObject({ name: "alice", warnings: [{ code: "STAGE_FROM_USERNAME" }] });
    expect(selectStage({ ...nothing, processEnv: { CI: "false" } }).warnings).toEqual([]);
  });

  it("must be named when there is no usable username", () => {
    const none = () => {
      throw new Error("ENOENT");
    };
    expect(codeOf({ username: none })).toBe("STAGE_USERNAME_UNUSABLE");
    expect(codeOf({ username: () => "\u738b" })).toBe("STAGE_USERNAME_UNUSABLE");
  });
});
