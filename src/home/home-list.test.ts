import { describe, expect, it } from "vitest";
import type { StageFacts } from "../model/snapshot.ts";
import { countingRandom, create, options, SteppedClock } from "../testing/store-stage.ts";
import type { StageSummary } from "./home.ts";
import { StoredKeyRing } from "./keys/stored-key-ring.ts";
import { type OpenHome, openHome } from "./open-home.ts";
import { MemoryStore } from "./stores/memory.ts";

function aHome() {
  const store = new MemoryStore();
  const calls = { get: 0, list: 0 };
  const counting = {
    location: "memory",
    get: (key: string) => {
      calls.get += 1;
      return store.get(key);
    },
    list: (prefix: string, limit: number, after?: string) => {
      calls.list += 1;
      return store.list(prefix, limit, after);
    },
    putIfAbsent: (key: string, bytes: Uint8Array) => store.putIfAbsent(key, bytes),
    delete: (key: string) => store.delete(key),
  };
  const clock = new SteppedClock();
  const random = countingRandom(77);
  const keys = new StoredKeyRing(new MemoryStore(), random, clock);
  return { home: openHome({ store: counting, clock, random, keys }), store, calls };
}

async function deploy(
  home: OpenHome,
  app: string,
  stage: string,
  secrets: { readonly stage: number; readonly fallback: number } | null = null,
): Promise<void> {
  const log = home.stage(app, stage);
  const epoch = await log.begin((await log.read()).head, options());
  if (epoch === "moved") throw new Error("moved");
  await epoch.append([{ kind: "facts", facts: factsWith(secrets) }]);
  await create(epoch, "Uploads");
  await epoch.end("done");
}

function factsWith(secrets: StageFacts["secrets"]): StageFacts {
  const identity = { cloud: "test", account: "1", region: "here" };
  return { identity, removal: "retain", protect: false, outputs: {}, secrets };
}

async function listed(home: OpenHome): Promise<readonly StageSummary[]> {
  const summaries: StageSummary[] = [];
  for await (const summary of home.list()) summaries.push(summary);
  return summaries;
}

describe("listing all stages", () => {
  it("finds none in an empty home", async () => {
    expect(await listed(aHome().home)).toEqual([]);
  });

  it("tells each stage of each app, by name", async () => {
    const { home } = aHome();
    for (const [app, stage] of [
      ["shop", "dev"],
      ["shop", "Dev"],
      ["shop", "dev-2"],
      ["blog", "__proto__"],
      ["Blog", "con"],
    ] as const)
      await deploy(home, app, stage);
    const summaries = await listed(home);
    expect(summaries.map(({ app, stage }) => `${app} ${stage}`)).toEqual([
      "Blog con",
      "blog __proto__",
      "shop Dev",
      "shop dev",
      "shop dev-2",
    ]);
    expect(summaries[0]).toEqual({
      app: "Blog",
      stage: "con",
      status: "deployed",
      updatedAt: "2026-01-01T00:00:00.000Z",
      resources: 1,
      retained: 0,
      staleSecrets: false,
    });
  });

  it("costs one paged listing and one read a stage", async () => {
    const { home, calls } = aHome();
    for (let index = 0; index < 500; index += 1) await deploy(home, "shop", `pr-${index}`);
    calls.get = 0;
    calls.list = 0;
    expect(await listed(home)).toHaveLength(500);
    expect(calls.get).toBe(500);
    expect(calls.list).toBeLessThanOrEqual(4);
  });

  it("skips the old frames of a stage with a long log", async () => {
    const { home, calls } = aHome();
    const log = home.stage("shop", "long");
    const epoch = await log.begin((await log.read()).head, options());
    if (epoch === "moved") throw new Error("moved");
    for (let index = 0; index < 3_000; index += 1)
      await epoch.append([{ kind: "beat", at: "2026-01-01T00:00:00.000Z" }]);
    await epoch.end("done");
    await deploy(home, "shop", "other");
    calls.list = 0;
    expect(await listed(home)).toHaveLength(2);
    expect(calls.list).toBeLessThanOrEqual(2);
  });

  it("tells what is open, failed, retained, removed or only has secrets", async () => {
    const { home } = aHome();
    await deploy(home, "shop", "deployed");
    await home.secrets("shop", "secrets-only").commit(new Map([["A", "1"]]));
    const ended = async (stage: string, how: "done" | "failed" | null, state?: "retained") => {
      const log = home.stage("shop", stage);
      const epoch = await log.begin((await log.read()).head, options());
      if (epoch === "moved") throw new Error("moved");
      await create(epoch, "Uploads");
      const [resource] = epoch.snapshot().resources;
      if (resource === undefined) throw new Error("no resource");
      if (state !== undefined)
        await epoch.append([{ kind: "resource", state: { ...resource, status: state } }]);
      else if (how === "done")
        await epoch.append([{ kind: "forget", urn: resource.urn, generation: 1 }]);
      if (how !== null) await epoch.end(how);
    };
    await ended("failed", "failed");
    await ended("open", null);
    await ended("removed", "done");
    await ended("retained", "done", "retained");
    const statuses = (await listed(home)).map(
      ({ stage, status, resources, retained }) => `${stage}: ${status} ${resources} ${retained}`,
    );
    expect(statuses).toEqual([
      "deployed: deployed 1 0",
      "failed: failed 1 0",
      "open: open 1 0",
      "removed: removed 0 0",
      "retained: retained 0 1",
      "secrets-only: not deployed null null",
    ]);
  });

  it("tells a stage without resources from a removed one", async () => {
    const { home } = aHome();
    const ended = async (stage: string, secrets: StageFacts["secrets"]) => {
      const log = home.stage("shop", stage);
      const epoch = await log.begin((await log.read()).head, options());
      if (epoch === "moved") throw new Error("moved");
      await epoch.append([{ kind: "facts", facts: factsWith(secrets) }]);
      await epoch.end("done");
    };
    await ended("empty", { stage: 0, fallback: 0 });
    await ended("removed", null);
    const statuses = (await listed(home)).map(({ stage, status }) => `${stage}: ${status}`);
    expect(statuses).toEqual(["empty: deployed", "removed: removed"]);
  });

  it("tells which stages were deployed with older secrets", async () => {
    const { home } = aHome();
    await home.secrets("shop", "b").commit(new Map([["A", "1"]]));
    await deploy(home, "shop", "a", { stage: 0, fallback: 0 });
    await deploy(home, "shop", "b", { stage: 1, fallback: 0 });
    const stale = async () => (await listed(home)).map(({ staleSecrets }) => staleSecrets);
    expect(await stale()).toEqual([false, false]);
    await home.secrets("shop", "b").commit(new Map([["A", "2"]]));
    expect(await stale()).toEqual([false, true]);
    await home.secrets("shop", null).commit(new Map([["B", "1"]]));
    await deploy(home, "shop", "b", { stage: 2, fallback: 1 });
    expect(await stale()).toEqual([true, false]);
  });

  it("lists a damaged stage with its problem, beside the others", async () => {
    const { home, store } = aHome();
    for (const stage of ["a", "b", "c"]) await deploy(home, "shop", stage);
    const [newest = ""] = await store.list("state/a-shop/s-b/log/", 1);
    store.damage(newest, Buffer.from("<<<<<<< HEAD\n"));
    const summaries = await listed(home);
    expect(summaries.map(({ status }) => status)).toEqual(["deployed", "corrupt", "deployed"]);
    expect(summaries[1]?.problem).toContain(newest);
  });

  it("ignores what is not a stage", async () => {
    const { home, store } = aHome();
    await deploy(home, "shop", "dev");
    for (const key of ["state/README", "state/x/y/z", "state/a-shop/notes/1", "state/a-shop/s-=/1"])
      await store.putIfAbsent(key, Buffer.from("x"));
    expect((await listed(home)).map(({ stage }) => stage)).toEqual(["dev"]);
  });
});

describe("a home's identity", () => {
  it("is made once and the same for everybody", async () => {
    const { home, store } = aHome();
    const ids = await Promise.all([home.id(), home.id(), home.id()]);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(Buffer.from((await store.get("home.json")) ?? []).toString()).toBe(
      `{"format":1,"id":"${ids[0]}"}\n`,
    );
  });

  it.each([
    ["", "STATE_CORRUPT"],
    ["{", "STATE_CORRUPT"],
    ['{"format":1,"id":"x"}', "STATE_CORRUPT"],
    ['{"format":2}', "STATE_TOO_NEW"],
  ])("is never made anew over the file %j", async (text, code) => {
    const { home, store } = aHome();
    await store.putIfAbsent("home.json", Buffer.from(text));
    await expect(home.id()).rejects.toMatchObject({ exit: 6, diagnostics: [{ code }] });
  });
});
