import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, isListening, isRunning, processesNaming } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { serverOf } from "../support/reality.ts";
import { openData } from "../support/stage-data.ts";
import { keptApp } from "./kept-app.ts";

interface Outputs {
  readonly url: string;
  readonly files: string;
  readonly notes: string;
}

const BYTES = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);

describe("after a reboot", () => {
  let project: Project;
  const outputs = new Map<string, Outputs>();
  const others: Server[] = [];

  beforeEach(async () => {
    project = makeProject(keptApp({}));
    for (const stage of ["one", "two"]) {
      const { url, files, notes } = await deploy(stage);
      outputs.set(stage, { url, files, notes });
      const data = await openData(`${url}/data`);
      await data.putItem(notes, "id", `item of ${stage}`);
      await data.putObject(files, "key", BYTES);
      data.close();
    }
  });
  afterEach(async () => {
    for (const other of others.splice(0)) other.close();
    await project.dispose();
  });

  async function deploy(stage: string): Promise<Outputs> {
    const result = await project.scrim(["deploy", "--stage", stage, "--json"]);
    if (result.exit !== 0) throw new Error(`${result.stdout}${result.stderr}`);
    return JSON.parse(result.stdout).outputs;
  }

  /** Everything of the home is gone at once. */
  async function cutPower(): Promise<void> {
    const { pid } = await serverOf(project.home);
    const all = new Set([pid, ...processesNaming(project.home)]);
    for (const each of all) process.kill(each, "SIGKILL");
    const gone = await eventually(
      async () =>
        !isRunning(pid) && processesNaming(project.home).length === 0 && (await areFree()),
    );
    if (!gone) throw new Error("the processes of the home do not end");
  }

  /** A runner shares its ports with the server and ends by itself a moment after it. */
  async function areFree(): Promise<boolean> {
    const ports = [...outputs.values()].map(({ url }) => Number(new URL(url).port));
    return !(await Promise.all(ports.map(isListening))).includes(true);
  }

  async function expectAllBack(): Promise<void> {
    for (const [stage, { url, files, notes }] of outputs) {
      expect(await (await fetch(url)).text()).toBe("here");
      const data = await openData(`${url}/data`);
      expect(await data.getItem(notes, "id")).toBe(`item of ${stage}`);
      expect(await data.getObject(files, "key")).toEqual(BYTES);
      data.close();
    }
  }

  it("local start brings every address and every byte back", async () => {
    await cutPower();
    expect(await project.scrim(["local", "start"])).toMatchObject({ exit: 0 });
    await expectAllBack();
  });

  it("a deploy of one stage that changes nothing brings all of them back", async () => {
    await cutPower();
    expect(await deploy("one")).toEqual(outputs.get("one"));
    await expectAllBack();
  });

  it("a port that another program took is named, and the next deploy shows the change", async () => {
    await cutPower();
    const before = outputs.get("one");
    const port = Number(new URL(before?.url ?? "").port);
    others.push(await listenOn(port));
    expect(await project.scrim(["local", "start"])).toMatchObject({ exit: 0 });
    const status = await project.scrim(["local", "status"]);
    expect(status.stdout).toContain("unavailable");
    expect(status.stdout).toContain(String(port));
    const other = outputs.get("two");
    expect(await (await fetch(other?.url ?? "")).text()).toBe("here");

    const shown = await project.scrim(["deploy", "--stage", "one"]);
    expect(shown).toMatchObject({ exit: 0 });
    const after = await deploy("one");
    expect(after.url).not.toBe(before?.url);
    expect(shown.stdout).toContain(after.url);
    expect(shown.stdout).toMatch(/Api.*local:api.*updated/);
    outputs.set("one", after);
    await expectAllBack();
  });
});

function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
