import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { stageKey } from "../../src/model/stage-key.ts";
import { eventually, isListening, processesNaming } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { realFolder, serverOf } from "../support/reality.ts";
import { openData } from "../support/stage-data.ts";
import { pathsIn } from "../support/tree-digest.ts";
import { keptApp } from "./kept-app.ts";

const APP = "kept";
let project: Project;

beforeEach(() => {
  project = makeProject(keptApp({}));
});
afterEach(() => project.dispose());

async function answer(...args: readonly string[]) {
  const result = await project.scrim([...args, "--json"]);
  expect(result.exit, result.stderr).toBe(0);
  return JSON.parse(result.stdout);
}

/** Has a stage do everything that leaves files: serve, log, keep data and secrets. */
async function use(stage: string): Promise<{ api: number; data: number }> {
  await answer("secret", "set", "Token", "value", "--stage", stage);
  const { url, files, notes } = (await answer("deploy", "--stage", stage)).outputs;
  expect(await (await fetch(url)).text()).toBe("here");
  const data = await openData(`${url}/data`);
  await data.putItem(notes, "id", "text");
  await data.putObject(files, "key", Buffer.from("bytes"));
  data.close();
  const { endpoint } = (await (await fetch(`${url}/data`)).json()) as { endpoint: string };
  return { api: portOf(url), data: portOf(endpoint) };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** Files of the home in whose path the stage is named. */
function filesOf(stage: string): readonly string[] {
  const names = [stageKey(APP, stage), `s-${stage}`];
  return pathsIn(project.home)
    .filter((path) => path.split("/").some((part) => names.includes(part)))
    .filter((path) => lstatSync(join(project.home, path)).isFile());
}

it("the removal of the last stage leaves no process, no port, and no file but history", async () => {
  const one = await use("one");
  const two = await use("two");
  const { pid, socket } = await serverOf(project.home);
  expect(processesNaming(project.home)).toContain(pid);
  const isOpen = () => Promise.all([one.api, two.api, two.data].map(isListening));
  expect(await isOpen()).toEqual([true, true, true]);

  await answer("remove", "--stage", "one");
  expect(existsSync(realFolder({ home: project.home, app: APP, stage: "one" }))).toBe(false);
  expect(await isOpen()).toEqual([false, true, true]);

  await answer("remove", "--stage", "two");
  expect(await eventually(() => processesNaming(project.home).length === 0)).toBe(true);
  expect(await isOpen()).toEqual([false, false, false]);
  expect(existsSync(socket)).toBe(false);
  expect(existsSync(join(project.home, "local/server.json"))).toBe(false);
  for (const stage of ["one", "two"]) {
    const left = filesOf(stage);
    expect(left).not.toEqual([]);
    expect(left.filter((path) => !/^state\/[^/]+\/s-(one|two)\/(log|snap)\//.test(path))).toEqual(
      [],
    );
  }
  expect(await answer("state", "list")).toMatchObject({ stages: [] });
});
