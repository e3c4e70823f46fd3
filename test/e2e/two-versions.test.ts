import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliFile, scrim } from "../support/cli.ts";
import { eventually, isRunning } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { serverOf } from "../support/reality.ts";
import { root } from "../support/root.ts";
import { openData } from "../support/stage-data.ts";
import { keptApp } from "./kept-app.ts";

const NEWER = "999.0.0";
const STAGE = ["--stage", "dev"] as const;

describe("two versions of the tool on one home", () => {
  let project: Project;
  let folder: string;
  let older: string;

  beforeAll(async () => {
    project = makeProject(keptApp({}));
    older = (await project.scrim(["--version"])).stdout.trim();
    folder = mkdtempSync(join(tmpdir(), "scrim-newer-"));
    copyAs(NEWER, older, folder);
  });
  afterAll(async () => {
    await project.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The same tool, but for the version that it was built as. */
  const byNewer = (...args: readonly string[]) =>
    scrim(args, {
      ...{ cwd: project.folder, env: project.env },
      file: join(folder, "dist/cli/main.js"),
    });

  it("share what each of them deployed, and the newer one's server serves both", async () => {
    const first = await project.scrim(["deploy", ...STAGE, "--json"]);
    expect(first, first.stderr).toMatchObject({ exit: 0 });
    const { outputs } = JSON.parse(first.stdout);
    const old = await serverOf(project.home);
    expect(old.version).toBe(older);
    const before = await openData(`${outputs.url}/data`);
    await before.putItem(outputs.notes, "id", "kept");
    before.close();

    const taken = await byNewer("deploy", ...STAGE, "--json");
    expect(taken, taken.stderr).toMatchObject({ exit: 0 });
    expect(JSON.parse(taken.stdout)).toMatchObject({ outputs, status: "unchanged" });
    const { pid, version } = await serverOf(project.home);
    expect(version).toBe(NEWER);
    expect(await eventually(() => !isRunning(old.pid))).toBe(true);
    const after = await openData(`${outputs.url}/data`);
    expect(await after.getItem(outputs.notes, "id")).toBe("kept");
    after.close();

    const changed = keptApp({ extra: true })["scrim.config.ts"] ?? "";
    project.write("scrim.config.ts", changed);
    expect(await project.scrim(["deploy", ...STAGE])).toMatchObject({ exit: 0 });
    expect(await (await fetch(`${outputs.url}/extra`)).text()).toBe("here");
    expect((await serverOf(project.home)).pid).toBe(pid);

    expect(await byNewer("remove", ...STAGE)).toMatchObject({ exit: 0 });
    expect(await eventually(() => !isRunning(pid))).toBe(true);
  });

  it("keep to themselves what the other cannot read: the older one is told which version can", async () => {
    expect(await byNewer("deploy", ...STAGE)).toMatchObject({ exit: 0 });
    await byNewer("local", "stop");
    // As a later version will write it.
    const format = join(project.home, "local/format.json");
    writeFileSync(format, '{"format": 99}');
    project.write("scrim.config.ts", keptApp({})["scrim.config.ts"] ?? "");
    const refused = await project.scrim(["deploy", ...STAGE]);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toMatch(/newer/);
    expect(readFileSync(format, "utf8")).toBe('{"format": 99}');
  });
});

/** Builds of two versions differ in that one text alone. */
function copyAs(version: string, is: string, folder: string): void {
  const dist = join(folder, "dist");
  cpSync(dirname(dirname(cliFile)), dist, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!/\.c?js$/.test(name)) continue;
    const file = join(dist, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(`"${is}"`, `"${version}"`));
  }
}
