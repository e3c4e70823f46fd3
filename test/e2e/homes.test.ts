import { cpSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endServer } from "../support/cli.ts";
import { eventually, isListening, isRunning } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { serverOf } from "../support/reality.ts";
import { openData } from "../support/stage-data.ts";
import { keptApp } from "./kept-app.ts";

interface Outputs {
  readonly url: string;
  readonly notes: string;
}

let project: Project;
/** Another folder that is or becomes a home. */
let other: string;

beforeEach(() => {
  project = makeProject(keptApp({}));
  other = join(project.home, "../other");
});
afterEach(async () => {
  await endServer(other);
  await project.dispose();
});

async function answer(home: string, ...args: readonly string[]) {
  const env = { SCRIM_HOME: home };
  const result = await project.scrim([...args, "--json"], { env });
  expect(result.exit, result.stderr).toBe(0);
  return JSON.parse(result.stdout);
}

async function deploy(home: string): Promise<Outputs> {
  return (await answer(home, "deploy", "--stage", "dev")).outputs;
}

async function write({ url, notes }: Outputs, text: string): Promise<void> {
  const data = await openData(`${url}/data`);
  await data.putItem(notes, "id", text);
  data.close();
}

async function read({ url, notes }: Outputs): Promise<string | null> {
  const data = await openData(`${url}/data`);
  const text = await data.getItem(notes, "id");
  data.close();
  return text;
}

describe("a home that was moved", () => {
  it("while nothing ran has every address and every byte", async () => {
    const outputs = await deploy(project.home);
    await write(outputs, "kept");
    await answer(project.home, "local", "stop");
    renameSync(project.home, other);
    await answer(other, "local", "start");
    expect(await read(outputs)).toBe("kept");
    const again = await answer(other, "deploy", "--stage", "dev");
    expect(again).toMatchObject({ outputs, status: "unchanged" });
  });

  it("under its server lets that one go, and has all again with the next command", async () => {
    const outputs = await deploy(project.home);
    await write(outputs, "kept");
    const { pid } = await serverOf(project.home);
    renameSync(project.home, other);
    expect(await deploy(other)).toEqual(outputs);
    expect(await read(outputs)).toBe("kept");
    expect(isRunning(pid)).toBe(false);
    // Nothing of it came back at its old place.
    expect(await answer(project.home, "state", "list")).toMatchObject({ stages: [] });
    expect(await answer(project.home, "local", "status")).toMatchObject({ running: false });
  });

  it("under its server, which has then somebody else's home at its place, is not mixed up", async () => {
    const outputs = await deploy(project.home);
    renameSync(project.home, other);
    mkdirSync(project.home);
    const fresh = await deploy(project.home);
    expect(fresh.notes).toBe(outputs.notes);
    expect(await read(fresh)).toBeNull();
    await write(fresh, "of the new one");
    const moved = await deploy(other);
    expect(await read(moved)).toBeNull();
    expect(await read(fresh)).toBe("of the new one");
  });
});

describe("two homes on one machine", () => {
  it("have servers, addresses and data of their own", async () => {
    const outputs = await deploy(project.home);
    const others = await deploy(other);
    expect(others.url).not.toBe(outputs.url);
    await write(outputs, "first");
    expect(await read(others)).toBeNull();
    await write(others, "second");
    expect(await read(outputs)).toBe("first");

    await answer(other, "remove", "--stage", "dev", "--yes");
    expect(await eventually(async () => !(await isListening(portOf(others))))).toBe(true);
    expect(await read(outputs)).toBe("first");
    expect((await answer(project.home, "state", "list")).stages).toHaveLength(1);
  });

  it("are two also when one is a copy that was made while the other was served", async () => {
    const outputs = await deploy(project.home);
    await write(outputs, "first");
    cpSync(project.home, other, { recursive: true });
    const copies = await deploy(other);
    expect((await serverOf(other)).pid).not.toBe((await serverOf(project.home)).pid);
    expect(copies.url).not.toBe(outputs.url);
    await write(copies, "second");
    expect(await read(outputs)).toBe("first");

    await answer(other, "remove", "--stage", "dev", "--yes");
    expect(await read(outputs)).toBe("first");
    expect(await answer(project.home, "deploy", "--stage", "dev")).toMatchObject({
      status: "unchanged",
    });
  });
});

function portOf({ url }: Outputs): number {
  return Number(new URL(url).port);
}
