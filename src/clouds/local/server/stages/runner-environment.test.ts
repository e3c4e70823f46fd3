import { describe, expect, it } from "vitest";
import { runnerEnvironment } from "./runner-environment.ts";

describe("the environment of a runner", () => {
  it("has what programs need and nothing that is the user's", () => {
    const environment = runnerEnvironment({
      PATH: "/bin",
      LANG: "C",
      HOME: "/home/me",
      AWS_PROFILE: "work",
      AWS_SESSION_TOKEN: "token",
      NODE_OPTIONS: "--inspect",
      SCRIM_HOME: "/home/me/.scrim",
      TZ: "Europe/Paris",
    });
    expect(environment).toEqual({ PATH: "/bin", LANG: "C", TZ: "UTC" });
  });
});
