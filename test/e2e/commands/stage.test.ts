import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createControlClient } from "../../../src/clouds/local/client/control-client.ts";
import { stageKey } from "../../../src/model/stage-key.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { type CliProcess, cliFile } from "../../support/cli.ts";
import { appConfig, HELLO, makeProject, type Project } from "../../support/project.ts";

const CONFIG = `/// <reference types="scrim/config" />
export default $config({
  app(input) {
    return {
      name: "hello",
      home: "local",
      removal: "remove",
      protect: process.env.PROTECT === "yes",
    };
  },
  async run() {
    const token = new scrim.Secret("Token", "placeholder");
    const notes = new scrim.aws.Bucket("Notes");
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", { handler: "src/hello.get", link: [token] });
    return { url: api.url, token: token.value, sizes: [1, 2] };
  },
});
`;

const HANDLER = `export async function get(event) {
  console.log("seen " + event.rawQueryString);
  return { statusCode: 200, body: "hello" };
}
`;

let project: Project;
const run = (...args: readonly string[]) => project.scrim([...args, "--stage", "alice"]);
const json = async (...args: readonly string[]) => {
  const result = await run(...args, "--json");
  expect(result.exit, result.stderr).toBe(0);
  return JSON.parse(result.stdout);
};

beforeAll(async () => {
  project = makeProject({ ...HELLO, "scrim.config.ts": CONFIG, "src/hello.ts": HANDLER });
  const deployed = await project.scrim(["deploy", "--stage", "alice"], { env: { PROTECT: "yes" } });
  expect(deployed.exit, deployed.stderr).toBe(0);
});
afterAll(() => project.dispose());

describe("scrim outputs", () => {
  it("shows what the last deploy gave, secrets masked", async () => {
    const { outputs } = await json("outputs");
    expect(outputs).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      token: "(sensitive)",
      sizes: [1, 2],
    });
  });

  it("prints one value alone for scripts", async () => {
    const { stdout: url } = await run("outputs", "url");
    expect((await fetch(url.trimEnd())).status).toBe(200);
    expect((await run("outputs", "sizes")).stdout).toBe("[1,2]\n");
  });

  it("refuses a name that there is none of, and a value that is not recorded in clear", async () => {
    const unknown = await run("outputs", "ulr");
    expect(unknown).toMatchObject({ exit: 2, stdout: "" });
    expect(unknown.stderr).toContain("Did you mean `url`?");
    const secret = await run("outputs", "token");
    expect(secret).toMatchObject({ exit: 1, stdout: "" });
    expect(secret.stderr).toContain("holds a secret");
  });
});

describe("scrim logs", () => {
  const call = async (query: string): Promise<void> => {
    const { url } = (await json("outputs")).outputs;
    expect((await fetch(`${url}?${query}`)).status).toBe(200);
  };

  it("shows what functions wrote, filtered by name and age", async () => {
    await call("first");
    expect((await run("logs")).stdout).toContain("seen first");
    expect((await run("logs", "--function", "Api/GET /")).stdout).toContain("seen first");
    const lines = (await run("logs", "--function", "Api", "--since", "1h", "--json")).stdout;
    const entries = lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries).toContainEqual(
      expect.objectContaining({ version: 1, function: "Api/GET /", message: "seen first" }),
    );
    const nothing = await run("logs", "--since", "1ms");
    expect(nothing).toMatchObject({ exit: 0, stdout: "" });
    expect(nothing.stderr).toContain("No log lines");
  });

  it("follows until it is interrupted", async () => {
    const tail = project.start(["logs", "--tail", "--stage", "alice"]);
    await call("followed");
    await shown(tail, "seen followed");
    tail.kill("SIGINT");
    expect(await tail.result).toMatchObject({ exit: 130, stderr: "" });
  });

  it("ends quietly when nobody reads any more", async () => {
    const args = [cliFile, "logs", "--tail", "--stage", "alice"];
    const env = { ...process.env, ...project.env };
    const tail = spawn(process.execPath, args, { cwd: project.folder, env });
    let stderr = "";
    tail.stderr.on("data", (text: Buffer) => {
      stderr += text;
    });
    const ended = new Promise((resolve) => tail.once("exit", resolve));
    await call("read");
    await new Promise((resolve) => tail.stdout.once("data", resolve));
    tail.stdout.destroy();
    await call("unread");
    expect([await ended, stderr]).toEqual([0, ""]);
  });

  it("ends at once where there is no function to follow", async () => {
    project.write("none/scrim.config.ts", appConfig({ app: 'name: "none"' }));
    const config = ["--config", "none/scrim.config.ts", "--stage", "dev"];
    expect(await project.scrim(["deploy", ...config])).toMatchObject({ exit: 0 });
    const tail = await project.scrim(["logs", "--tail", ...config]);
    expect(tail).toMatchObject({ exit: 0, stdout: "" });
    expect(tail.stderr).toContain("Stage dev of none has no functions");
  });

  it("names what it does not know", async () => {
    const unknown = await run("logs", "--function", "Appi");
    expect(unknown).toMatchObject({ exit: 2, stdout: "" });
    expect(unknown.stderr).toContain("Did you mean `Api`?");
    const stage = await project.scrim(["logs", "--stage", "bob"]);
    expect(stage).toMatchObject({ exit: 1, stdout: "" });
    expect(stage.stderr).toContain("Stage bob of hello was not found");
  });
});

describe("scrim refresh", () => {
  it("tells and records what somebody else deleted, and the next deploy brings it back", async () => {
    expect((await json("refresh")).drift).toEqual([]);
    const { resources } = await json("state", "show");
    const bucket = resources.find((state: { component: string }) => state.component === "Notes");
    const client = createControlClient({
      homeFolder: project.home,
      env: {},
      clock: systemClock,
      version: (await project.scrim(["--version"])).stdout.trim(),
      signal: AbortSignal.timeout(20_000),
    });
    await client.delete(stageKey("hello", "alice"), {
      type: bucket.type,
      name: bucket.physicalName,
    });
    const refreshed = await json("refresh");
    expect(refreshed.drift).toMatchObject([{ kind: "gone", component: "Notes" }]);
    expect(refreshed.resources).toBe(resources.length - 1);
    const deployed = await project.scrim(["deploy", "--stage", "alice", "--json"], {
      env: { PROTECT: "yes" },
    });
    expect(JSON.parse(deployed.stdout)).toMatchObject({ status: "done", counts: { create: 1 } });
  });
});

describe("what is recorded", () => {
  it("is shown with masked secrets, now and as it was", async () => {
    const { epochs } = await json("state", "history");
    expect(epochs[0]).toMatchObject({ command: "deploy", status: "done" });
    const now = await json("state", "show");
    expect(now).toMatchObject({ stage: "alice", serial: epochs[0].serial, holder: null });
    expect(now.facts).toMatchObject({ protect: true, outputs: { token: { sensitive: true } } });
    const refreshed = epochs.find((epoch: { command: string }) => epoch.command === "refresh");
    const then = await json("state", "show", "--serial", String(refreshed.serial));
    expect(then.resources.length).toBe(now.resources.length - 1);
    expect((await run("state", "show", "--serial", "1")).exit).toBe(2);
    expect((await run("state", "show", "--serial", "zero")).exit).toBe(2);
  });

  it("is exported with secrets as hashes", async () => {
    const { exit, stdout } = await run("state", "export");
    const exported = JSON.parse(stdout);
    expect([exit, exported.version, exported.format, exported.app]).toEqual([0, 1, 1, "hello"]);
    expect(exported.facts.outputs.token.$sealed).toMatch(/^[0-9a-f]{64}$/);
    expect(stdout).not.toContain("placeholder");
  });

  it("can be asked for although the config does not build any more", async () => {
    project.write("scrim.config.ts", "export default $config(");
    try {
      for (const args of [
        ["logs"],
        ["outputs"],
        ["state", "show"],
        ["state", "history"],
        ["refresh"],
      ])
        expect(await run(...args), args.join(" ")).toMatchObject({ exit: 0 });
    } finally {
      project.write("scrim.config.ts", CONFIG);
    }
  });
});

describe("scrim state unprotect", () => {
  it("is refused without a terminal to ask on, and done with --yes", async () => {
    const remove = await run("remove");
    expect(remove).toMatchObject({ exit: 5 });
    const unasked = await project.scrim(["state", "unprotect", "alice"]);
    expect(unasked).toMatchObject({ exit: 2 });
    expect(unasked.stderr).toContain("must be confirmed");
    const done = await project.scrim(["state", "unprotect", "alice", "--yes", "--json"]);
    expect(JSON.parse(done.stdout)).toMatchObject({ changed: true, configProtects: false });
    const again = await project.scrim(["state", "unprotect", "alice", "--yes", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ changed: false });
    expect((await project.scrim(["state", "unprotect", "nobody", "--yes"])).exit).toBe(1);
    expect((await run("remove")).exit).toBe(0);
  });

  it("leaves a removed stage without outputs", async () => {
    const outputs = await run("outputs");
    expect(outputs).toMatchObject({ exit: 1, stdout: "" });
    expect(outputs.stderr).toContain("Stage alice of hello was removed");
  });
});

async function shown(process: CliProcess, text: string): Promise<void> {
  const untilMs = performance.now() + 10_000;
  while (!process.output().stdout.includes(text)) {
    if (performance.now() > untilMs) throw new Error(`not shown: ${process.output().stdout}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
