import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ServerStatus } from "../../../src/clouds/local/control-api.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import type { CliResult } from "../../support/cli.ts";
import { eventually, processesNaming } from "../../support/processes.ts";
import { makeProject, type Project } from "../../support/project.ts";
import { type StageOfHome, serverOf } from "../../support/reality.ts";
import { exhaustive } from "../../support/require.ts";
import { openData, type StageData } from "../../support/stage-data.ts";
import { KILL_PRELOAD } from "./lifecycle.ts";
import { killOffset } from "./sample.ts";
import { VERSIONS } from "./ten-resources.ts";
import { assertSound } from "./verdict.ts";

const DEPLOY = ["deploy", "--stage", "s"];
const BYTES = Uint8Array.from({ length: 5_000 }, (_, index) => index % 251);

let project: Project;
let stage: StageOfHome;

beforeEach(() => {
  project = makeProject({ ...VERSIONS.create.files });
  stage = { home: project.home, app: "ten", stage: "s" };
});
afterEach(() => project.dispose());

interface Outputs {
  readonly url: string;
  readonly job: string;
}

/** A plain deploy, which must succeed and leave everything in order. */
async function deploySoundly(version: "create" | "update"): Promise<Outputs> {
  expectSuccess(await project.scrim(DEPLOY));
  const again = expectSuccess(await project.scrim([...DEPLOY, "--json"]));
  const { status, outputs, serial } = JSON.parse(again.stdout);
  expect(status).toBe("unchanged");
  expect(await assertSound(stage, { answer: VERSIONS[version].answer, ...outputs })).toBe(serial);
  return outputs;
}

function expectSuccess(result: CliResult): CliResult {
  if (result.exit !== 0) throw new Error(`exit ${result.exit}\n${result.stdout}${result.stderr}`);
  return result;
}

function write(version: "create" | "update"): void {
  for (const [file, text] of Object.entries(VERSIONS[version].files)) project.write(file, text);
}

async function killServer(): Promise<void> {
  const { pid } = await serverOf(project.home);
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had been killed already.
  }
}

async function namesOf(): Promise<{ readonly bucket: string; readonly table: string }> {
  const { url } = await deploySoundly("create");
  const data = await openData(`${url}/data`);
  const names = await data.names();
  data.close();
  const named = (type: string): string =>
    names.find((name) => name.startsWith(`local:${type} ten-s-`))?.split(" ")[1] ?? "";
  return { bucket: named("bucket"), table: named("table") };
}

describe("a server that is killed under a deploy", () => {
  it("is replaced; the next plain deploy finds and finishes all, and data stays", {
    timeout: 600_000,
  }, async () => {
    const seed = killOffset();
    process.stderr.write(`killing the server, SCRIM_KILL_OFFSET=${seed}\n`);
    const random = new SeededRandom(seed);
    const { bucket, table } = await namesOf();
    const rounds = exhaustive ? 60 : 8;
    for (let round = 1; round <= rounds; round += 1) {
      const version = round % 2 === 1 ? "update" : "create";
      write(version);
      const deploying =
        round % 3 === 0 ? killedAfter(random.below(300)) : killedAt(1 + random.below(60));
      const { exit } = await deploying;
      expect([0, 1, 7], `round ${round}`).toContain(exit);
      const { url } = await deploySoundly(version);
      const data = await openData(`${url}/data`);
      if (round > 1) expect(await data.getItem(table, "round")).toBe(String(round - 1));
      if (round > 1) expect(await data.getObject(bucket, "bytes")).toEqual(BYTES);
      await data.putItem(table, "round", String(round));
      await data.putObject(bucket, "bytes", BYTES);
      data.close();
    }
  });

  /** Kills the server at a moment of the deploy, which goes on. */
  function killedAt(moment: number): Promise<CliResult> {
    const env = { SCRIM_TEST_KILL_AT: String(moment), SCRIM_TEST_KILL_WHOM: "server" };
    return project.start(DEPLOY, { nodeFlags: ["--import", KILL_PRELOAD], env }).result;
  }

  async function killedAfter(delayMs: number): Promise<CliResult> {
    const { result } = project.start(DEPLOY);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await killServer();
    return result;
  }
});

describe("a server that is killed while data is written", () => {
  it("has every item and object that it acknowledged", { timeout: 180_000 }, async () => {
    const { bucket, table } = await namesOf();
    const { url } = await deploySoundly("create");
    const data = await openData(`${url}/data`);
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = ["a", "b", "c"].map((name) => writeUntil(() => isOver, name));

    async function writeUntil(over: () => boolean, name: string): Promise<void> {
      for (let number = 1; !over(); number += 1) {
        const key = `${name}${number}`;
        if (await attempt(() => putBoth(data, key))) acknowledged.push(key);
      }
    }

    async function putBoth(into: StageData, key: string): Promise<void> {
      await into.putItem(table, key, key);
      await into.putObject(bucket, key, new TextEncoder().encode(key));
    }

    for (let kills = 0; kills < 3; kills += 1) {
      const before = acknowledged.length;
      expect(await eventually(() => acknowledged.length > before + 10)).toBe(true);
      await killServer();
      expectSuccess(await project.scrim(["local", "start"]));
    }
    isOver = true;
    await Promise.all(writers);
    expect(acknowledged.length).toBeGreaterThan(30);
    for (const key of acknowledged) {
      expect(await data.getItem(table, key)).toBe(key);
      expect(await data.getObject(bucket, key)).toEqual(new TextEncoder().encode(key));
    }
    data.close();
  });
});

describe("a runner that is killed under requests", () => {
  it("is replaced; every request ends, and the next ones are answered", {
    timeout: 120_000,
  }, async () => {
    const { url } = await deploySoundly("create");
    let isOver = false;
    const answers: string[] = [];
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await attempt(async () => {
          const signal = AbortSignal.timeout(30_000);
          answers.push(await (await fetch(url, { signal })).text());
        });
      }
    });
    for (let kills = 0; kills < 4; kills += 1) {
      const before = answers.length;
      expect(await eventually(() => answers.length > before + 20)).toBe(true);
      const pid = await runnerPid();
      if (pid !== null) process.kill(pid, "SIGKILL");
    }
    isOver = true;
    await Promise.all(clients);
    const good = answers.filter((answer) => answer === VERSIONS.create.answer);
    expect(good.length).toBeGreaterThan(80);
    expect(await eventually(async () => (await textOf(url)) === VERSIONS.create.answer)).toBe(true);
    await deploySoundly("create");
  });

  async function runnerPid(): Promise<number | null> {
    const { stdout } = expectSuccess(await project.scrim(["local", "status", "--json"]));
    const { stages } = JSON.parse(stdout) as Pick<ServerStatus, "stages">;
    return stages[0]?.runner?.pid ?? null;
  }

  it("ends with its server, however that one ended", async () => {
    await deploySoundly("create");
    await killServer();
    expect(await eventually(() => processesNaming(project.home).length === 0)).toBe(true);
  });
});

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** False when it failed, as it may while a process is missing. */
async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return false;
  }
}
