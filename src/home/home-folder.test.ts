import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { homeFolder, keyFolder, type UserFolders } from "./home-folder.ts";

function folders(env: UserFolders["env"], platform: NodeJS.Platform = "linux"): UserFolders {
  return { env, platform, userHome: "/users/ada" };
}

describe.skipIf(process.platform === "win32")("the folder of the home", () => {
  it.each([
    [{ SCRIM_HOME: "/h", XDG_DATA_HOME: "/x" }, "linux", "/h"],
    [{ SCRIM_HOME: "h" }, "linux", resolve("h")],
    [{ SCRIM_HOME: "", XDG_DATA_HOME: "/x" }, "linux", "/x/scrim"],
    [{ XDG_DATA_HOME: "relative" }, "linux", "/users/ada/.local/share/scrim"],
    [{}, "linux", "/users/ada/.local/share/scrim"],
    [{}, "darwin", "/users/ada/Library/Application Support/scrim"],
    [{ LOCALAPPDATA: "/appdata" }, "win32", "/appdata/scrim"],
  ] as const)("for %j on %s is %s", (env, platform, folder) => {
    expect(homeFolder(folders(env, platform))).toBe(folder);
  });
});

describe.skipIf(process.platform === "win32")("the folder of keys", () => {
  it.each([
    [{ SCRIM_KEY_DIR: "/k" }, "linux", "/k"],
    [{ XDG_CONFIG_HOME: "/c" }, "linux", "/c/scrim/keys"],
    [{}, "darwin", "/users/ada/.config/scrim/keys"],
    [{ APPDATA: "/appdata" }, "win32", "/appdata/scrim/keys"],
  ] as const)("for %j on %s is %s", (env, platform, folder) => {
    expect(keyFolder(folders(env, platform))).toBe(folder);
  });

  it("never lies in the home by default", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      const home = homeFolder(folders({}, platform));
      expect(keyFolder(folders({}, platform)).startsWith(`${home}/`)).toBe(false);
    }
  });
});
