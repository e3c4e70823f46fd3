import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findConfig } from "./find.ts";
import { projectWith } from "./project.fixture.ts";

describe("the config file", () => {
  it("is the next one upward", () => {
    const folder = projectWith({ "scrim.config.ts": "", "apps/web/scrim.config.mjs": "" });
    mkdirSync(join(folder, "apps/web/src/deep"), { recursive: true });
    const web = join(folder, "apps/web");
    const found = { file: join(web, "scrim.config.mjs"), folder: web };
    expect(findConfig(join(web, "src/deep"), null)).toEqual(found);
    expect(findConfig(join(folder, "apps"), null).folder).toBe(folder);
  });

  it("is never a folder of that name", () => {
    const folder = projectWith({ "scrim.config.ts": "", "a/scrim.config.ts/x": "" });
    expect(findConfig(join(folder, "a"), null).folder).toBe(folder);
  });

  it("is the one named, wherever that is", () => {
    const folder = projectWith({ "other/my.ts": "", "scrim.config.ts": "" });
    const found = { file: join(folder, "other/my.ts"), folder: join(folder, "other") };
    expect(findConfig(folder, "other/my.ts")).toEqual(found);
    expect(() => findConfig(folder, "other")).toThrow(/no config file/);
    expect(() => findConfig(folder, "none.ts")).toThrow(/no config file/);
  });

  it("is a question when there are two, and missing when there is none", () => {
    const folder = projectWith({ "scrim.config.ts": "", "scrim.config.js": "" });
    expect(() => findConfig(folder, null)).toThrow(/both scrim.config.ts and scrim.config.js/);
    expect(() => findConfig(projectWith({}), null)).toThrow(/There is no scrim.config.ts in/);
  });
});
