import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FaultProxy, startFaultProxy } from "../../src/testing/fault-proxy.ts";
import { makeProject, type Project } from "../support/project.ts";
import { exhaustive } from "../support/require.ts";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";
import { ResourceBench } from "./resource-bench.ts";

const CONFIG = `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "hello", home: "aws", removal: "remove" };
  },
  async run() {
    const table = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id" },
    });
    const files = new scrim.aws.Bucket("Files");
    const users = new scrim.aws.CognitoUserPool("Users", { usernames: ["email"], domain: true });
    users.addClient("Web");
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", { handler: "src/hello.get", link: [table, files, users] });
  },
});
`;

const HANDLER = `export async function get() {
  return { statusCode: 200, body: "hello" };
}
`;

/** What the app is made of; the home's own bucket is the second one. */
const THINGS = {
  ...{ "aws:log-group": 1, "aws:role": 1, "aws:function": 1, "aws:api": 1 },
  ...{ "aws:bucket": 2, "aws:table": 1, "aws:user-pool": 1 },
};
/** Of the calls of a first deploy, so many are tried; `SCRIM_TEST_KILLS=all` tries all, which takes a quarter hour. */
const SAMPLES = exhaustive ? 20 : 6;
const TRIES_ALL = process.env["SCRIM_TEST_KILLS"] === "all";

describe.skipIf(!hasEmulator("ministack"))("a deploy to AWS that is killed", () => {
  let emulator: Emulator;
  let proxy: FaultProxy;
  let bench: ResourceBench;
  let project: Project;

  beforeAll(async () => {
    emulator = await startEmulator("ministack");
    proxy = await startFaultProxy(emulator.endpoint);
    bench = new ResourceBench("ministack", emulator.endpoint);
    project = makeProject({ "scrim.config.ts": CONFIG, "src/hello.ts": HANDLER });
  });

  beforeEach(async () => {
    proxy.script(() => "none");
    await emulator.reset();
  });

  afterAll(async () => {
    await project?.dispose();
    await bench?.clients.close();
    await proxy?.close();
    await emulator?.close();
  });

  const start = (...args: readonly string[]) => {
    const env = { ...emulator.env, AWS_ENDPOINT_URL: proxy.endpoint };
    return project.start([...args, "--stage", "dev"], { env, timeoutMs: 120_000 });
  };

  const count = async (): Promise<Record<string, number>> => {
    const counts = Object.keys(THINGS).map(
      async (type) => [type, await bench.count(type, new Map())] as const,
    );
    return Object.fromEntries(await Promise.all(counts));
  };

  it("at any call is mended by the next one, with nothing twice", {
    timeout: TRIES_ALL ? 3_600_000 : 600_000,
  }, async () => {
    const before = proxy.count;
    expect(await start("deploy").result).toMatchObject({ exit: 0 });
    const calls = proxy.count - before;
    expect(calls).toBeGreaterThan(30);
    const every = TRIES_ALL ? 1 : Math.ceil(calls / SAMPLES);
    for (let at = 1; at < calls; at += every) {
      await emulator.reset();
      const first = proxy.count;
      const killed = start("deploy");
      proxy.script(({ index }) => {
        if (index - first < at) return "none";
        killed.kill("SIGKILL");
        return "lost";
      });
      expect((await killed.result).exit, `killed at call ${at}`).toBe("SIGKILL");
      proxy.script(() => "none");
      const mended = await start("deploy").result;
      expect(mended, `after call ${at}: ${mended.stderr}`).toMatchObject({ exit: 0 });
      expect(await count(), `after call ${at}`).toEqual(THINGS);
    }
  });

  it("and everything is gone after a removal that was killed", { timeout: 300_000 }, async () => {
    expect(await start("deploy").result).toMatchObject({ exit: 0 });
    let deletions = 0;
    const killed = start("remove", "--yes");
    proxy.script(({ method, headers }) => {
      const target = String(headers["x-amz-target"] ?? "");
      if (method !== "DELETE" && !target.includes("Delete")) return "none";
      deletions += 1;
      if (deletions < 3) return "none";
      killed.kill("SIGKILL");
      return "lost";
    });
    expect((await killed.result).exit).toBe("SIGKILL");
    proxy.script(() => "none");
    const removed = await start("remove", "--yes").result;
    expect(removed, removed.stderr).toMatchObject({ exit: 0 });
    const left = Object.entries(await count()).filter(([, things]) => things > 0);
    expect(left).toEqual([["aws:bucket", 1]]);
  });
});
