import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BuiltEntries } from "../../testing/build-entry.ts";
import {
  buildLocalCloud,
  createLocalCloudFixture,
  type LocalCloudFixture,
  resource,
  until,
} from "../../testing/local-cloud-fixture.ts";
import type { Cloud } from "../cloud.ts";
import { apiId } from "./identity.ts";
import { isRunning } from "./process-identity.ts";

const ECHO = `export const handler = async () => ({
  statusCode: 200,
  body: JSON.stringify({ greeting: process.env.GREETING, leak: process.env.AWS_SECRET_ACCESS_KEY }),
});`;

let built: BuiltEntries;
let fixture: LocalCloudFixture;
let cloud: Cloud;

beforeAll(async () => {
  built = await buildLocalCloud("1.0.0");
});
afterAll(() => built.remove());
beforeEach(() => {
  fixture = createLocalCloudFixture(built);
  cloud = fixture.open();
});
afterEach(() => fixture.close());

/** A function, an API and a route to it; the API's URL. */
async function deploy(greeting: string): Promise<string> {
  await resource(cloud, "local:function", "fn").create({
    name: "Api/GET /hello",
    bundle: fixture.bundle(ECHO),
    handler: "index.handler",
    timeoutMs: 5_000,
    memoryMb: 256,
    concurrency: null,
    environment: { GREETING: greeting },
    links: {},
  });
  const api = await resource(cloud, "local:api", "api").create({ name: "Api", cors: null });
  await resource(cloud, "local:route", "route").create({
    api: apiId("api"),
    routeKey: "GET /hello",
    function: "fn",
  });
  if (api.kind !== "done") throw new Error(`not made: ${api.kind}`);
  return `${api.outputs["url"]}`;
}

async function removeAll(): Promise<void> {
  for (const [type, name] of [
    ["local:route", "route"],
    ["local:api", "api"],
    ["local:function", "fn"],
  ] as const) {
    await resource(cloud, type, name).delete();
  }
  await cloud.forgetStage("shop", "dev");
}

async function greetingAt(url: string): Promise<unknown> {
  return (await fetch(`${url}/hello`)).json();
}

describe("the local cloud", () => {
  it("serves a function behind an API and keeps the caller's credentials out", async () => {
    const url = await deploy("good day");
    const answer = (await greetingAt(url)) as { greeting: string; leak: string };
    expect(answer.greeting).toBe("good day");
    expect(answer.leak).not.toBe("must-not-reach-the-server");
  });

  it("brings a stage back at the same address after kill -9 of the server", async () => {
    const url = await deploy("good day");
    const first = await fixture.server();
    process.kill(first?.pid ?? 0, "SIGKILL");
    await until(() => !isRunning(first?.pid ?? 0));
    await cloud.wake("shop", "dev");
    expect((await fixture.server())?.pid).not.toBe(first?.pid);
    expect(await greetingAt(url)).toMatchObject({ greeting: "good day" });
    expect(await deploy("good day")).toBe(url);
  });

  it("is whole after kill -9 at any moment of a deploy and one more deploy", async () => {
    for (const afterMs of [0, 5, 15, 40, 80, 150]) {
      await cloud.wake("shop", "dev");
      const interrupted = deploy("good day").catch(() => undefined);
      await sleep(afterMs);
      const server = await fixture.server();
      if (server !== null) process.kill(server.pid, "SIGKILL");
      await interrupted;
      expect(await greetingAt(await deploy("good day"))).toMatchObject({ greeting: "good day" });
    }
    const registry = readdirSync(join(fixture.home, "local", "a-shop.s-dev", "registry"));
    expect(registry.sort()).toEqual([
      "local-api.s-api.json",
      "local-function.s-fn.json",
      "local-route.s-route.json",
    ]);
  });

  it("answers a repeated put the same, and a changed one with the change", async () => {
    const url = await deploy("one");
    expect(await deploy("one")).toBe(url);
    expect(await deploy("two")).toBe(url);
    expect(await greetingAt(url)).toMatchObject({ greeting: "two" });
  });

  it("leaves no process, socket or folder behind its last stage", async () => {
    await deploy("good day");
    const server = await fixture.server();
    await removeAll();
    await until(() => !isRunning(server?.pid ?? 0));
    expect(existsSync(server?.socket ?? "")).toBe(false);
    expect(readdirSync(join(fixture.home, "local")).sort()).toEqual([
      "claims",
      "data-port.json",
      "format.json",
      "server.log",
    ]);
  });

  it("refuses to forget a stage that has resources", async () => {
    await deploy("good day");
    await expect(cloud.forgetStage("shop", "dev")).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_STAGE_NOT_EMPTY" }],
    });
  });

  it("does not touch a resource of another lineage", async () => {
    await deploy("good day");
    const other = resource(cloud, "local:api", "api", { lineage: "9999" });
    const found = await other.read();
    expect(found).toMatchObject({
      kind: "foreign",
      owner: expect.stringMatching(/^app shop, stage dev, lineage ./),
    });
    expect(await other.create({ name: "Api", cors: null })).toEqual(found);
    expect((await other.delete()).kind).toBe("foreign");
    expect((await resource(cloud, "local:api", "api").read()).kind).toBe("done");
  });

  it("keeps environments out of answers and, in clear, off the disk", async () => {
    await deploy("a well kept secret");
    const read = await resource(cloud, "local:function", "fn").read();
    expect(JSON.stringify(read)).not.toContain("a well kept secret");
    const files = readdirSync(join(fixture.home, "local"), { recursive: true, encoding: "utf8" })
      .map((name) => join(fixture.home, "local", name))
      .filter((name) => statSync(name).isFile());
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      expect(readFileSync(file).includes("a well kept secret"), file).toBe(false);
    }
  });

  it("makes a bucket and a table and finds them again after kill -9", async () => {
    const bucket = () => resource(cloud, "local:bucket", "uploads");
    const table = () => resource(cloud, "local:table", "Notes");
    const key = { hashKey: "id", rangeKey: null, projection: "all" };
    await bucket().create({ cors: null, versioning: false });
    await table().create({
      fields: { id: "string" },
      primaryIndex: key,
      globalIndexes: {},
      localIndexes: {},
      deletionProtection: false,
    });
    process.kill((await fixture.server())?.pid ?? 0, "SIGKILL");
    expect(await bucket().read()).toMatchObject({ kind: "done", outputs: { name: "uploads" } });
    expect(await table().read()).toMatchObject({ kind: "done", outputs: { name: "Notes" } });
    await bucket().delete();
    await table().delete();
    expect((await bucket().read()).kind).toBe("gone");
    expect((await table().read()).kind).toBe("gone");
  });
});
