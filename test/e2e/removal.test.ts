import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CliResult } from "../support/cli.ts";
import { isListening } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { realFolder, realResources, recordedStage, type StageOfHome } from "../support/reality.ts";
import { openData } from "../support/stage-data.ts";
import { type KeptApp, keptApp } from "./kept-app.ts";

interface Outputs {
  readonly url: string;
  readonly files: string;
  readonly notes: string;
}

const BYTES = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256);

let project: Project;
let stage: StageOfHome;

beforeEach(() => {
  project = makeProject(keptApp({}));
  stage = { home: project.home, app: "kept", stage: "s" };
});
afterEach(() => project.dispose());

function configure(app: KeptApp): void {
  for (const [file, text] of Object.entries(keptApp(app))) project.write(file, text);
}

const run = (...args: readonly string[]): Promise<CliResult> =>
  project.scrim([...args, "--stage", "s"]);

/** Deploys with success, and tells the outputs. */
async function deploy(app: KeptApp, ...flags: readonly string[]): Promise<Outputs> {
  configure(app);
  const result = await run("deploy", "--json", ...flags);
  if (result.exit !== 0) throw new Error(`${result.stdout}${result.stderr}`);
  return JSON.parse(result.stdout).outputs;
}

async function fill({ url, files, notes }: Outputs): Promise<void> {
  const data = await openData(`${url}/data`);
  await data.putItem(notes, "one", "a note");
  await data.putObject(files, "folder/ä.bin", BYTES);
  data.close();
}

async function expectFilled({ url, files, notes }: Outputs): Promise<void> {
  const data = await openData(`${url}/data`);
  expect(await data.getItem(notes, "one")).toBe("a note");
  expect(await data.getObject(files, "folder/ä.bin")).toEqual(BYTES);
  data.close();
}

async function expectEmpty({ url, files, notes }: Outputs): Promise<void> {
  const data = await openData(`${url}/data`);
  expect(await data.getItem(notes, "one")).toBe(null);
  expect(await data.getObject(files, "folder/ä.bin")).toBe(null);
  data.close();
}

async function listed(): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await project.scrim(["state", "list", "--json"]);
  return JSON.parse(stdout).stages[0];
}

const typesLeft = async (): Promise<readonly string[]> =>
  (await realResources(stage)).map(({ type }) => type).sort();

const portOf = ({ url }: Outputs): number => Number(new URL(url).port);

describe('a removal under removal: "remove"', () => {
  it("deletes everything; a later deploy of the name begins empty", async () => {
    const outputs = await deploy({});
    await fill(outputs);
    expect(await run("remove")).toMatchObject({ exit: 0 });
    expect(existsSync(realFolder(stage))).toBe(false);
    expect(await isListening(portOf(outputs))).toBe(false);
    expect(await listed()).toBe(undefined);
    await expectEmpty(await deploy({}));
  });
});

describe('a removal under removal: "retain"', () => {
  it("keeps objects and items, which a later deploy finds and a later removal deletes", async () => {
    const first = await deploy({ removal: "retain" });
    await fill(first);
    const removed = await run("remove");
    expect(removed).toMatchObject({ exit: 0 });
    expect(removed.stdout).toContain("local:bucket::Files");
    expect(removed.stdout).toContain("local:table::Notes");
    expect(await typesLeft()).toEqual(["local:bucket", "local:table"]);
    expect(await isListening(portOf(first))).toBe(false);
    expect(await listed()).toMatchObject({ status: "retained", resources: 0, retained: 2 });
    // Once more: there is nothing else to do.
    expect(await run("remove")).toMatchObject({ exit: 0 });
    expect(await typesLeft()).toEqual(["local:bucket", "local:table"]);

    const second = await deploy({ removal: "retain" });
    expect({ ...second, url: "" }).toEqual({ ...first, url: "" });
    await expectFilled(second);
    expect(await listed()).toMatchObject({ status: "deployed", retained: 0 });

    configure({ removal: "remove" });
    expect(await run("remove")).toMatchObject({ exit: 0 });
    expect(existsSync(realFolder(stage))).toBe(false);
    await expectEmpty(await deploy({}));
  });

  it("is completed by a removal under another removal, without a deploy in between", async () => {
    await fill(await deploy({ removal: "retain" }));
    expect(await run("remove")).toMatchObject({ exit: 0 });
    configure({ removal: "remove" });
    const removed = await run("remove");
    expect(removed).toMatchObject({ exit: 0 });
    expect(removed.stdout).toContain("removal: remove (of the config)");
    expect(existsSync(realFolder(stage))).toBe(false);
    expect(await listed()).toBe(undefined);
  });
});

describe('a removal under removal: "retain-all"', () => {
  it("keeps all, addresses included, and a deploy takes it back", async () => {
    const first = await deploy({ removal: "retain-all" });
    await fill(first);
    expect(await run("remove")).toMatchObject({ exit: 0 });
    expect(await listed()).toMatchObject({ status: "retained", resources: 0, retained: 7 });
    expect(await (await fetch(first.url)).text()).toBe("here");
    await expectFilled(first);
    expect(await deploy({ removal: "retain-all" })).toEqual(first);
    expect(await listed()).toMatchObject({ status: "deployed", resources: 7, retained: 0 });
    await expectFilled(first);
  });
});

describe("a deploy without what was there", () => {
  it("deletes a route that the config dropped", async () => {
    const { url } = await deploy({ removal: "retain", extra: true });
    expect((await fetch(`${url}/extra`)).status).toBe(200);
    await deploy({ removal: "retain" });
    expect((await fetch(`${url}/extra`)).status).toBe(404);
    expect((await typesLeft()).filter((type) => type === "local:function").length).toBe(2);
  });

  it("detaches a table under retain, lists it, and finds it again", async () => {
    const first = await deploy({ removal: "retain" });
    await fill(first);
    configure({ removal: "retain", table: null });
    const dropped = await run("deploy");
    expect(dropped).toMatchObject({ exit: 0 });
    expect(dropped.stdout).toMatch(/Notes.*(kept|retained|detached)/);
    expect(await listed()).toMatchObject({ status: "deployed", retained: 1 });
    expect(await typesLeft()).toContain("local:table");
    expect(await run("deploy", "--json")).toMatchObject({ exit: 0 });
    const again = await deploy({ removal: "retain" });
    await expectFilled(again);
    expect(await listed()).toMatchObject({ retained: 0 });
  });

  it("deletes a table under remove", async () => {
    await deploy({});
    configure({ table: null });
    expect(await run("deploy")).toMatchObject({ exit: 0 });
    expect(await typesLeft()).not.toContain("local:table");
  });

  it("keeps a table's data when the component is renamed with an alias", async () => {
    const first = await deploy({ removal: "retain" });
    await fill(first);
    const renamed = await deploy({ removal: "retain", table: "Memos", aliases: ["Notes"] });
    expect(renamed.notes).toBe(first.notes);
    await expectFilled(renamed);
    // The alias may go once it is deployed.
    expect(await deploy({ removal: "retain", table: "Memos" })).toEqual(renamed);
    await expectFilled(renamed);
  });

  it("is refused when nothing is left at all, unless --allow-empty says so", async () => {
    await fill(await deploy({}));
    const before = await realResources(stage);
    configure({ empty: true });
    const refused = await run("deploy");
    expect(refused).toMatchObject({ exit: 2 });
    expect(refused.stderr).toContain("--allow-empty");
    expect(await realResources(stage)).toEqual(before);
    expect(await run("deploy", "--allow-empty")).toMatchObject({ exit: 0 });
    expect(await typesLeft()).toEqual([]);
  });

  it("keeps data under retain even with --allow-empty", async () => {
    await fill(await deploy({ removal: "retain" }));
    configure({ removal: "retain", empty: true });
    expect(await run("deploy", "--allow-empty")).toMatchObject({ exit: 0 });
    expect(await typesLeft()).toEqual(["local:bucket", "local:table"]);
    await expectFilled(await deploy({ removal: "retain" }));
  });
});

describe("a deploy that would have to replace data", () => {
  it.each<KeptApp>([{ removal: "retain" }, { removal: "retain-all" }, { protect: true }])(
    "is refused before anything is changed, with %j",
    async (app) => {
      const first = await deploy(app);
      await fill(first);
      const before = await realResources(stage);
      const { head } = await recordedStage(stage);
      configure({ ...app, key: "number" });
      const refused = await run("deploy");
      expect(refused).toMatchObject({ exit: 5 });
      expect(refused.stderr).toContain("--allow-destroy Notes");
      expect(await realResources(stage)).toEqual(before);
      expect((await recordedStage(stage)).head).toEqual(head);
      await expectFilled(first);
      const unrelated = await run("deploy", "--allow-destroy", "Files");
      expect(unrelated).toMatchObject({ exit: 5 });
      const replaced = await deploy({ ...app, key: "number" }, "--allow-destroy", "Notes");
      expect(replaced.notes).not.toBe(first.notes);
      const tables = (await typesLeft()).filter((type) => type === "local:table");
      expect(tables.length).toBe(1);
    },
  );
});

describe("a protected stage", () => {
  it.each<{ deployed: KeptApp; config: KeptApp }>([
    { deployed: { protect: true }, config: { protect: true } },
    { deployed: { protect: true }, config: { protect: false } },
    { deployed: { protect: false }, config: { protect: true } },
  ])("is not removed: %j", async ({ deployed, config }) => {
    await fill(await deploy(deployed));
    configure(config);
    const before = await realResources(stage);
    const { head } = await recordedStage(stage);
    for (const flags of [[], ["--continue"], ["--yes", "--continue"]]) {
      const refused = await run("remove", ...flags);
      expect(refused).toMatchObject({ exit: 5 });
      expect(refused.stderr).toContain("Cannot remove protected stage");
    }
    const json = await run("remove", "--json");
    expect(JSON.parse(json.stderr).error.message).toMatch(/^Cannot remove protected stage/);
    expect(await realResources(stage)).toEqual(before);
    expect((await recordedStage(stage)).head).toEqual(head);
  });

  it("is not removed where its config does not build any more", async () => {
    await deploy({ protect: true });
    project.write("scrim.config.ts", "export default $config({");
    const refused = await run("remove");
    expect(refused).toMatchObject({ exit: 5 });
    expect(refused.stderr).toContain("Cannot remove protected stage");
  });

  it("is removed once a deploy has lifted the protection", async () => {
    await deploy({ protect: true });
    await deploy({ protect: false });
    expect(await run("remove")).toMatchObject({ exit: 0 });
    expect(existsSync(realFolder(stage))).toBe(false);
  });
});

describe("a removal of a table that refuses to go", () => {
  it.each([[], ["--continue"]])(
    "deletes the rest and says what is left, with %j",
    async (...flags) => {
      await fill(await deploy({ tableProtected: true }));
      const removed = await run("remove", ...flags);
      expect(removed).toMatchObject({ exit: 7 });
      expect(removed.stderr).toContain("has deletion protection");
      expect(removed.stdout).toMatch(/Left:\n {2}local:table::Notes\n/);
      expect(await typesLeft()).toEqual(["local:table"]);
      expect(await listed()).toMatchObject({ status: "failed", resources: 1 });
      const again = await run("remove", "--json", ...flags);
      expect(again).toMatchObject({ exit: 1 });
      expect(JSON.parse(again.stdout)).toMatchObject({
        left: ["local:table::Notes"],
        retained: [],
      });
      await deploy({ tableProtected: false });
      expect(await run("remove")).toMatchObject({ exit: 0 });
      expect(existsSync(realFolder(stage))).toBe(false);
    },
  );
});
