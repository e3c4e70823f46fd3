import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiId } from "../../identity.ts";
import { createFakeStage, type FakeStage, putOf } from "./stage.fixture.ts";
import { openStageResources, type StageResources } from "./stage-resources.ts";

const zip = zipSync({ "index.mjs": Buffer.from("export const handler = () => 1;") });
const bundle = createHash("sha256").update(zip).digest("hex");

let fake: FakeStage;
let stage: StageResources;

beforeEach(async () => {
  fake = createFakeStage();
  stage = await openStageResources(await fake.dependencies());
  await stage.code.put(bundle, zip);
});
afterEach(async () => {
  await fake.host.close();
  rmSync(fake.folder, { recursive: true, force: true });
});

const fn = (name: string) => ({ type: "local:function", name });
const api = { type: "local:api", name: "api" };
const bucket = (name: string) => ({ type: "local:bucket", name });

function functionSpec(environment: Record<string, string> = {}) {
  const settings = { timeoutMs: 1_000, memoryMb: 128, concurrency: null };
  return { name: "Fn", bundle, handler: "index.handler", ...settings, environment, links: {} };
}

/** The server starts again: same folder, nothing else kept. */
async function restart(): Promise<void> {
  await fake.host.remove("a-shop.s-dev");
  stage = await openStageResources(await fake.dependencies());
  await stage.wake();
}

describe("the resources of a stage", () => {
  it("make a hundred functions that arrive together with a few changes of the runner", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `fn${index}`);
    await Promise.all(
      names.map((name) => stage.put(fn(name), putOf({ ...functionSpec(), name: `F-${name}` }))),
    );
    expect(fake.host.applied.length).toBeLessThan(10);
    expect(fake.host.applied.at(-1)?.functions).toHaveLength(100);
  });

  it("answer a repeated put the same without changing the runner", async () => {
    const first = await stage.put(fn("fn"), putOf(functionSpec({ A: "1" })));
    const before = fake.host.applied.length;
    expect(await stage.put(fn("fn"), putOf(functionSpec({ A: "1" })))).toEqual(first);
    expect(fake.host.applied).toHaveLength(before);
  });

  it("come back after a restart with the same port and environment", async () => {
    await stage.put(fn("fn"), putOf(functionSpec({ A: "1" })));
    const made = await stage.put(api, putOf({ name: "Api", cors: null }));
    await restart();
    expect(await stage.get(api)).toEqual(made);
    expect(fake.host.applied.at(-1)?.functions[0]?.environment["A"]).toBe("1");
    expect(fake.host.applied.at(-1)?.apis[0]?.port).toBe(made.outputs["port"]);
  });

  it("serve a route once API, function and route are there, in any order", async () => {
    const route = { type: "local:route", name: "route" };
    await Promise.all([
      stage.put(route, putOf({ api: apiId("api"), routeKey: "GET /", function: "fn" })),
      stage.put(api, putOf({ name: "Api", cors: null })),
      stage.put(fn("fn"), putOf(functionSpec())),
    ]);
    expect(fake.host.applied.at(-1)?.apis).toMatchObject([
      { routes: [{ routeKey: "GET /", function: "Fn" }] },
    ]);
  });

  it("refuse a function whose code was not uploaded", async () => {
    const spec = { ...functionSpec(), bundle: "0".repeat(64) };
    await expect(stage.put(fn("fn"), putOf(spec))).rejects.toMatchObject({
      body: { code: "LOCAL_CODE_MISSING" },
    });
    expect(stage.count()).toBe(0);
  });

  it("keep a change whose runner failed, and make it with the next put", async () => {
    fake.host.fail = new Error("no more processes");
    await expect(stage.put(fn("fn"), putOf(functionSpec()))).rejects.toThrow("no more processes");
    fake.host.fail = null;
    await stage.put(fn("fn"), putOf(functionSpec()));
    expect(fake.host.applied.at(-1)?.functions).toHaveLength(1);
  });

  it("let one refused put fail without the others that came with it", async () => {
    const results = await Promise.allSettled([
      stage.put(fn("good"), putOf(functionSpec())),
      stage.put(fn("bad"), putOf({ ...functionSpec(), timeoutMs: -1 })),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("keep two puts of one resource in their order", async () => {
    await Promise.all(
      ["1", "2", "3"].map((value) => stage.put(fn("fn"), putOf(functionSpec({ A: value })))),
    );
    expect(fake.host.applied.at(-1)?.functions[0]?.environment["A"]).toBe("3");
  });
});

describe("an API whose port was taken", () => {
  it("is told as a problem and never moved by itself; a put moves it", async () => {
    const made = await stage.put(api, putOf({ name: "Api", cors: null }));
    const port = Number(made.outputs["port"]);
    await fake.host.remove("a-shop.s-dev");
    const thief = createServer().listen(port, "127.0.0.1");
    await once(thief, "listening");
    try {
      await restart();
      const found = await stage.get(api);
      expect(found?.outputs["port"]).toBe(port);
      expect(found?.problem).toContain(`port ${port}`);
      expect(stage.problems().join()).toContain(`port ${port}`);
      const moved = await stage.put(api, putOf({ name: "Api", cors: null }));
      expect(moved.outputs["port"]).not.toBe(port);
      expect(moved.outputs["url"]).toContain(String(moved.outputs["port"]));
      expect(moved.problem).toBeUndefined();
      await restart();
      expect((await stage.get(api))?.outputs).toEqual(moved.outputs);
    } finally {
      thief.close();
    }
  });

  it("answers again on its own port once that is free and the stage is woken", async () => {
    const made = await stage.put(api, putOf({ name: "Api", cors: null }));
    const port = Number(made.outputs["port"]);
    await fake.host.remove("a-shop.s-dev");
    const thief = createServer().listen(port, "127.0.0.1");
    await once(thief, "listening");
    await restart();
    await new Promise((resolve) => thief.close(resolve));
    await stage.wake();
    expect(await stage.get(api)).toEqual(made);
  });
});

describe("a resource that holds data", () => {
  it("that the service refuses leaves no record when nothing was made", async () => {
    fake.service.refuse = () => new Error("no space");
    await expect(stage.put(bucket("b"), putOf({}))).rejects.toThrow("no space");
    expect(stage.count()).toBe(0);
    expect(readdirSync(join(fake.folder, "local/a-shop.s-dev/registry"))).toEqual([]);
  });

  it("keeps its old record when a change is refused", async () => {
    await stage.put(bucket("b"), putOf({ cors: null }));
    fake.service.refuse = () => new Error("cannot change");
    await expect(stage.put(bucket("b"), putOf({ versioning: true }))).rejects.toThrow();
    expect((await stage.get(bucket("b")))?.spec).toEqual({ cors: null });
    await restart();
    expect((await stage.get(bucket("b")))?.spec).toEqual({ cors: null });
  });

  it("whose delete was interrupted is deleted at the next start", async () => {
    await stage.put(bucket("b"), putOf({}));
    fake.service.refuse = () => new Error("killed");
    await expect(stage.delete(bucket("b"))).rejects.toThrow("killed");
    fake.service.refuse = null;
    await restart();
    expect([...fake.service.things.keys()]).toEqual([]);
    expect(stage.count()).toBe(0);
  });

  it("whose create was interrupted is made at the next start", async () => {
    await stage.put(bucket("b"), putOf({ cors: null }));
    const file = join(fake.folder, "local/a-shop.s-dev/registry/local-bucket.s-b.json");
    const { readFileSync } = await import("node:fs");
    writeFileSync(file, readFileSync(file, "utf8").replace('"ready"', '"making"'));
    fake.service.things.clear();
    await restart();
    expect([...fake.service.things.keys()]).toEqual(["b"]);
    expect((await stage.get(bucket("b")))?.problem).toBeUndefined();
  });

  it("is left alone when the registry has lost its record", async () => {
    fake.service.things.set("stray", {});
    await stage.put(bucket("b"), putOf({}));
    await restart();
    expect([...fake.service.things.keys()].sort()).toEqual(["b", "stray"]);
  });

  it("is gone for a reader when the service has lost it", async () => {
    await stage.put(bucket("b"), putOf({}));
    fake.service.things.clear();
    expect(await stage.get(bucket("b"))).toBeNull();
  });

  it("is not deleted while it has deletion protection", async () => {
    const table = { type: "local:table", name: "T" };
    await stage.put(table, putOf({ deletionProtection: true }));
    await expect(stage.delete(table)).rejects.toMatchObject({
      body: { code: "LOCAL_TABLE_PROTECTED" },
    });
    await stage.put(table, putOf({ deletionProtection: false }));
    await stage.delete(table);
    expect(stage.count()).toBe(0);
  });
});

describe("a damaged record", () => {
  it("is counted and named, deletes nothing, and goes with a delete of its resource", async () => {
    await stage.put(bucket("b"), putOf({}));
    writeFileSync(
      join(fake.folder, "local/a-shop.s-dev/registry/local-bucket.s-b.json"),
      "\0".repeat(50),
    );
    await restart();
    expect(stage.count()).toBe(1);
    expect(stage.problems().join()).toContain("local-bucket.s-b.json is damaged");
    expect([...fake.service.things.keys()]).toEqual(["b"]);
    await stage.delete(bucket("b"));
    expect(stage.count()).toBe(0);
    expect([...fake.service.things.keys()]).toEqual([]);
  });
});

describe("sealed environments", () => {
  it("that cannot be decrypted take one function out and leave the others", async () => {
    await stage.put(fn("old"), putOf({ ...functionSpec({ A: "1" }), name: "Old" }));
    const other = createFakeStage();
    const { sealing } = await other.dependencies();
    rmSync(other.folder, { recursive: true, force: true });
    stage = await openStageResources(await fake.dependencies({ sealing }));
    await stage.put(fn("new"), putOf({ ...functionSpec({ A: "2" }), name: "New" }));
    expect(fake.host.applied.at(-1)?.functions.map(({ name }) => name)).toEqual(["New"]);
    expect((await stage.get(fn("old")))?.problem).toContain("cannot be decrypted");
    await stage.put(fn("old"), putOf({ ...functionSpec({ A: "1" }), name: "Old" }));
    expect((await stage.get(fn("old")))?.problem).toBeUndefined();
  });
});
