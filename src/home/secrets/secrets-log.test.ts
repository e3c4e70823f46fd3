import { describe, expect, it } from "vitest";
import { seededNumbers } from "../../testing/disk-seed.ts";
import { FaultyStore, randomFaults, type StoreFault } from "../../testing/store-faulty.ts";
import { countingRandom, SteppedClock } from "../../testing/store-stage.ts";
import { StoredKeyRing } from "../keys/stored-key-ring.ts";
import { type OpenHome, openHome } from "../open-home.ts";
import type { Store } from "../store.ts";
import { MemoryStore } from "../stores/memory.ts";

interface World {
  readonly home: OpenHome;
  readonly store: MemoryStore;
  readonly keyStore: MemoryStore;
  readonly clock: SteppedClock;
  /** The same home, through other stores, as another process has it. */
  another(stores?: { store?: Store; keyStore?: Store }): OpenHome;
}

let processes = 0;

function world(): World {
  const store = new MemoryStore();
  const keyStore = new MemoryStore();
  const clock = new SteppedClock();
  const another = (stores: { store?: Store; keyStore?: Store } = {}): OpenHome => {
    processes += 1;
    const random = countingRandom(processes);
    const keys = new StoredKeyRing(stores.keyStore ?? keyStore, random, clock);
    return openHome({ store: stores.store ?? store, clock, random, keys });
  };
  return { home: another(), store, keyStore, clock, another };
}

const set = (name: string, value: string): ReadonlyMap<string, string> => new Map([[name, value]]);

async function valuesOf(home: OpenHome, stage: string | null): Promise<Record<string, string>> {
  return Object.fromEntries((await home.secrets("shop", stage).read()).values);
}

async function dump(store: MemoryStore): Promise<string> {
  const texts: string[] = [];
  for (const key of await store.list("", 10_000))
    texts.push(`${key}\n${Buffer.from((await store.get(key)) ?? []).toString("latin1")}`);
  return texts.join("\n");
}

describe("secrets", () => {
  it("are none at first, and reading them makes no key", async () => {
    const { home, keyStore } = world();
    expect(await home.secrets("shop", "dev").read()).toEqual({ serial: 0, values: new Map() });
    expect(await home.secrets("shop", "dev").list()).toEqual({ serial: 0, entries: [] });
    expect(await keyStore.list("", 10)).toEqual([]);
  });

  it("are set, replaced and removed, each in a commit of its own", async () => {
    const { home, another } = world();
    const log = home.secrets("shop", "dev");
    expect(await log.commit(set("A", "1"))).toBe(1);
    expect(
      await log.commit(
        new Map([
          ["A", "2"],
          ["B", ""],
        ]),
      ),
    ).toBe(2);
    expect(await valuesOf(another(), "dev")).toEqual({ A: "2", B: "" });
    expect(await log.commit(new Map([["A", null]]))).toBe(3);
    expect(await valuesOf(another(), "dev")).toEqual({ B: "" });
  });

  it("stay as they are when nothing is to be removed", async () => {
    const { home } = world();
    const log = home.secrets("shop", "dev");
    await log.commit(set("A", "1"));
    expect(await log.commit(new Map([["B", null]]))).toBe(1);
  });

  it("are apart for each stage, for the fallback and for each app", async () => {
    const { home } = world();
    await home.secrets("shop", "dev").commit(set("A", "dev"));
    await home.secrets("shop", "Dev").commit(set("A", "Dev"));
    await home.secrets("shop", null).commit(set("A", "fallback"));
    await home.secrets("shop", "_fallback").commit(set("A", "a stage"));
    await home.secrets("blog", "dev").commit(set("A", "blog"));
    expect(await valuesOf(home, "dev")).toEqual({ A: "dev" });
    expect(await valuesOf(home, "Dev")).toEqual({ A: "Dev" });
    expect(await valuesOf(home, null)).toEqual({ A: "fallback" });
    expect(await valuesOf(home, "_fallback")).toEqual({ A: "a stage" });
  });

  it("take any name and any text", async () => {
    const { home } = world();
    const odd = new Map([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["LINES", "a\r\nb\n"],
      ["SNOW", "\u2603 \u{1f600}"],
      ["LONG", "x".repeat(64 * 1024)],
    ]);
    await home.secrets("shop", "dev").commit(odd);
    expect((await home.secrets("shop", "dev").read()).values).toEqual(odd);
  });

  it("leave no trace of their values in the home, in any spelling", async () => {
    const { home, store } = world();
    const value = "SENTINEL_5f2c9a7e1b";
    await home.secrets("shop", "dev").commit(set("A", value));
    await home.secrets("shop", null).commit(set("A", value));
    await home.rotateKey("shop");
    const seal = await home.sealer("shop");
    const all = `${await dump(store)} ${seal(value)}`;
    const spellings = (["utf8", "hex", "base64", "base64url"] as const).map((encoding) =>
      Buffer.from(value).toString(encoding).slice(0, 12),
    );
    for (const spelling of spellings) expect(all).not.toContain(spelling);
  });

  it("are listed without any key", async () => {
    const { home, another } = world();
    await home.secrets("shop", "dev").commit(set("A", "1"));
    const keyless = another({ keyStore: new MemoryStore() });
    const { entries } = await keyless.secrets("shop", "dev").list();
    expect(entries).toEqual([
      {
        name: "A",
        updatedAt: "2026-01-01T00:00:00.000Z",
        keyId: expect.stringMatching(/^\w{16}$/),
      },
    ]);
  });

  it("are gone after a purge, and an interrupted purge never brings older ones back", async () => {
    const { home, store, another } = world();
    const log = home.secrets("shop", "dev");
    for (const value of ["1", "2", "3"]) await log.commit(set("A", value));
    let deletions = 0;
    const interrupted = new FaultyStore(store, ({ verb }) => {
      if (verb === "delete") deletions += 1;
      return deletions > 2 ? "crash-before" : "none";
    });
    void another({ store: interrupted }).secrets("shop", "dev").purge();
    await new Promise((done) => setTimeout(done, 20));
    expect(await valuesOf(home, "dev")).toEqual({ A: "3" });
    await log.purge();
    expect(await valuesOf(home, "dev")).toEqual({});
    expect(await store.list("", 10)).toEqual([]);
  });
});

describe("commits of secrets at the same time", () => {
  it("all count, whatever answers are lost, in 60 histories", async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { store, clock, another } = world();
      const faults: readonly StoreFault[] = ["lost", "dropped", "late"];
      const choose = randomFaults(seededNumbers(seed), 0.2, faults);
      const names = ["A", "B", "C", "D", "E"];
      const commits = Promise.all(
        names.map((name) =>
          another({ store: new FaultyStore(store, choose) })
            .secrets("shop", "dev")
            .commit(set(name, name.repeat(3))),
        ),
      );
      await clock.advance(60_000);
      expect(new Set(await commits).size).toBe(5);
      expect(Object.keys(await valuesOf(another(), "dev"))).toEqual(names);
    }
  });

  it("make one key, however many are first", async () => {
    const { keyStore, clock, another } = world();
    const stages = ["a", "b", "c", "d"];
    const commits = Promise.all(
      stages.map((stage) => another().secrets("shop", stage).commit(set("A", stage))),
    );
    await clock.advance(1_000);
    await commits;
    expect(await keyStore.list("", 10)).toHaveLength(1);
    for (const stage of stages) expect(await valuesOf(another(), stage)).toEqual({ A: stage });
  });
});

describe("a key that is not here", () => {
  it("is missed by name, and no new one is made in its place", async () => {
    const { home, another } = world();
    await home.secrets("shop", "dev").commit(set("A", "1"));
    const [keyId = ""] = await home.keys.ids("shop");
    const keyStore = new MemoryStore();
    const keyless = another({ keyStore });
    const missing = {
      exit: 6,
      diagnostics: [{ code: "KEY_MISSING", message: expect.stringContaining(keyId) }],
    };
    await expect(keyless.secrets("shop", "dev").read()).rejects.toMatchObject(missing);
    await expect(keyless.secrets("shop", "qa").commit(set("B", "2"))).rejects.toMatchObject(
      missing,
    );
    await expect(keyless.sealer("shop")).rejects.toMatchObject(missing);
    await expect(keyless.rotateKey("shop")).rejects.toMatchObject(missing);
    expect(await keyStore.list("", 10)).toEqual([]);
  });

  it("is told apart from a wrong one, naming both", async () => {
    const { home, another } = world();
    await home.secrets("shop", "dev").commit(set("A", "1"));
    const [needed = ""] = await home.keys.ids("shop");
    const other = another({ keyStore: new MemoryStore() });
    const { id } = await other.keys.create("shop");
    await expect(other.secrets("shop", "dev").read()).rejects.toMatchObject({
      exit: 6,
      diagnostics: [
        {
          code: "KEY_WRONG",
          message: expect.stringContaining(needed),
          why: expect.stringContaining(id),
        },
      ],
    });
  });

  it("keeps a rotation from adding a key that could not read everything", async () => {
    const { home, another } = world();
    await home.secrets("shop", "dev").commit(set("A", "1"));
    const other = another({ keyStore: new MemoryStore() });
    await other.keys.create("shop");
    await expect(other.rotateKey("shop")).rejects.toMatchObject({
      diagnostics: [{ code: "KEY_WRONG" }],
    });
    expect(await other.keys.ids("shop")).toHaveLength(1);
  });

  it("can be brought as text from where it is", async () => {
    const { home, another } = world();
    await home.secrets("shop", "dev").commit(set("A", "1"));
    await home.rotateKey("shop");
    await home.secrets("shop", "qa").commit(set("A", "2"));
    const text = await home.keys.export("shop");
    const other = another({ keyStore: new MemoryStore() });
    expect(await other.keys.import("shop", text)).toHaveLength(2);
    expect(await other.keys.import("shop", text)).toEqual([]);
    expect(await valuesOf(other, "dev")).toEqual({ A: "1" });
    expect(await other.keys.ids("shop")).toEqual(await home.keys.ids("shop"));
  });

  it.each(["", "hello", "scrim-key-1.0000000000000000.", "changed"])(
    "is not imported from the text %j",
    async (text) => {
      const { home } = world();
      await home.keys.create("shop");
      const exported = await home.keys.export("shop");
      const changed = `${exported.slice(0, 40)}${exported[40] === "A" ? "B" : "A"}${exported.slice(41)}`;
      await expect(
        home.keys.import("shop", text === "changed" ? changed : text),
      ).rejects.toMatchObject({ diagnostics: [{ code: "KEY_INVALID" }] });
    },
  );
});

describe("a value that was moved or changed", () => {
  it("cannot be read as that of another stage", async () => {
    const { home, store } = world();
    await home.secrets("shop", "dev").commit(set("A", "1"));
    await home.secrets("shop", "qa").commit(set("A", "2"));
    const [dev = "", qa = ""] = await store.list("state/", 10);
    store.damage(qa, (await store.get(dev)) ?? new Uint8Array());
    await expect(home.secrets("shop", "qa").read()).rejects.toMatchObject({
      exit: 6,
      diagnostics: [{ code: "STATE_CORRUPT" }],
    });
  });

  it("stops the reader, while a torn last commit is stepped over", async () => {
    const { home, store } = world();
    const log = home.secrets("shop", "dev");
    await log.commit(set("A", "1"));
    await log.commit(set("A", "2"));
    const [newest = ""] = await store.list("state/", 1);
    const bytes = (await store.get(newest)) ?? new Uint8Array();
    store.damage(newest, bytes.slice(0, 30));
    expect(await valuesOf(home, "dev")).toEqual({ A: "1" });
    expect(await log.commit(set("B", "3"))).toBe(3);
    expect(await valuesOf(home, "dev")).toEqual({ A: "1", B: "3" });
    store.damage((await store.list("state/", 1))[0] ?? "", Buffer.from("<<<<<<<\n"));
    await expect(log.read()).rejects.toMatchObject({ diagnostics: [{ code: "STATE_CORRUPT" }] });
  });
});

describe("rotating the key of an app", () => {
  const stages = ["dev", "qa", null];

  async function populated(): Promise<World> {
    const made = world();
    for (const stage of stages)
      await made.home.secrets("shop", stage).commit(set("A", `of ${stage}`));
    return made;
  }

  it("encrypts every secret anew and keeps the old key", async () => {
    const { home } = await populated();
    const id = await home.rotateKey("shop");
    expect(await home.keys.ids("shop")).toHaveLength(2);
    for (const stage of stages) {
      const { entries } = await home.secrets("shop", stage).list();
      expect(entries.map(({ keyId }) => keyId)).toEqual([id]);
      expect(await valuesOf(home, stage)).toEqual({ A: `of ${stage}` });
    }
  });

  it("leaves every secret readable wherever it is interrupted, and is finished by a repeat", async () => {
    for (let put = 0; put < 4; put += 1) {
      for (const fault of ["crash-before", "crash-after"] as const) {
        const { store, keyStore, another } = await populated();
        let puts = 0;
        const choose = ({ verb }: { verb: string }): StoreFault => {
          if (verb !== "put") return "none";
          puts += 1;
          return puts === put + 1 ? fault : "none";
        };
        const process = another({
          store: new FaultyStore(store, choose),
          keyStore: new FaultyStore(keyStore, choose),
        });
        void process.rotateKey("shop");
        await new Promise((done) => setTimeout(done, 20));
        for (const stage of stages)
          expect(await valuesOf(another(), stage)).toEqual({ A: `of ${stage}` });
        const id = await another().rotateKey("shop");
        for (const stage of stages)
          expect((await another().secrets("shop", stage).list()).entries[0]?.keyId).toBe(id);
      }
    }
  });

  it("changes how values are sealed, since the old key may be known", async () => {
    const { home } = await populated();
    const before = (await home.sealer("shop"))({ b: 1, a: 2 });
    expect((await home.sealer("shop"))({ a: 2, b: 1 })).toBe(before);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    await home.rotateKey("shop");
    expect((await home.sealer("shop"))({ a: 2, b: 1 })).not.toBe(before);
  });
});
