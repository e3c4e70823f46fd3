import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../home/store.ts";

/** A place that values are kept in, empty at first. */
export interface StorePlace {
  /** A new way to the same place, as another process would have it. */
  open(): Store;
  cleanUp(): Promise<void>;
}

/** Registers what every store must do. Each test gets a place of its own. */
export function describeStore(name: string, makePlace: () => Promise<StorePlace>): void {
  async function place(): Promise<StorePlace> {
    const made = await makePlace();
    onTestFinished(() => made.cleanUp());
    return made;
  }

  describe(`a store: ${name}`, () => {
    it("has nothing at first", async () => {
      const store = (await place()).open();
      expect(await store.get("state/a/1")).toBeNull();
      expect(await store.list("", 10)).toEqual([]);
      await store.delete("state/a/1");
    });

    it("gives back the bytes that were put, to everybody", async () => {
      const { open } = await place();
      const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
      expect(await open().putIfAbsent("state/a/1", bytes)).toBe("created");
      expect(Buffer.from((await open().get("state/a/1")) ?? [])).toEqual(Buffer.from(bytes));
    });

    it("keeps an empty value apart from none", async () => {
      const store = (await place()).open();
      await store.putIfAbsent("state/empty", new Uint8Array());
      expect(await store.get("state/empty")).toHaveLength(0);
      expect(await store.list("state/", 10)).toEqual(["state/empty"]);
    });

    it("never changes a value that is there", async () => {
      const { open } = await place();
      expect(await open().putIfAbsent("k", Buffer.from("first"))).toBe("created");
      expect(await open().putIfAbsent("k", Buffer.from("second"))).toBe("exists");
      expect(Buffer.from((await open().get("k")) ?? []).toString()).toBe("first");
    });

    it("does not change a value when the caller changes the bytes", async () => {
      const store = (await place()).open();
      const bytes = Buffer.from("as put");
      await store.putIfAbsent("k", bytes);
      bytes.fill(0);
      const read = Buffer.from((await store.get("k")) ?? []);
      read.fill(1);
      expect(Buffer.from((await store.get("k")) ?? []).toString()).toBe("as put");
    });

    it("lets exactly one of many writers create a key", async () => {
      const { open } = await place();
      const writers = Array.from({ length: 12 }, (_, index) => ({ store: open(), index }));
      const answers = await Promise.all(
        writers.map(({ store, index }) => store.putIfAbsent("race", Buffer.from(`${index}`))),
      );
      const winners = answers.flatMap((answer, index) => (answer === "created" ? [index] : []));
      expect(winners).toHaveLength(1);
      expect(Buffer.from((await open().get("race")) ?? []).toString()).toBe(`${winners[0]}`);
    });

    it("can create a key again once it was deleted", async () => {
      const store = (await place()).open();
      await store.putIfAbsent("k", Buffer.from("1"));
      await store.delete("k");
      expect(await store.get("k")).toBeNull();
      expect(await store.list("", 10)).toEqual([]);
      expect(await store.putIfAbsent("k", Buffer.from("2"))).toBe("created");
    });

    it("lists whole keys by code unit, not by folder", async () => {
      const store = (await place()).open();
      const keys = ["p/a/1", "p/a-b/1", "p/a.b", "p/a=b/1", "p/A/1", "p/a/b/2", "p/aa", "q/1"];
      for (const key of keys) await store.putIfAbsent(key, Buffer.from(key));
      expect(await store.list("p/", 100)).toEqual(keys.filter((key) => key < "q").sort());
      expect(await store.list("p/a", 100)).toEqual(
        keys.filter((key) => key.startsWith("p/a")).sort(),
      );
      expect(await store.list("", 100)).toEqual([...keys].sort());
      expect(await store.list("nothing/", 100)).toEqual([]);
    });

    it("gives the first keys only, and goes on behind any text", async () => {
      const store = (await place()).open();
      const keys = ["l/a/1", "l/a/2", "l/b/1", "l/b/2", "l/c"];
      for (const key of keys) await store.putIfAbsent(key, new Uint8Array(1));
      expect(await store.list("l/", 2)).toEqual(keys.slice(0, 2));
      expect(await store.list("l/", 2, "l/a/2")).toEqual(keys.slice(2, 4));
      expect(await store.list("l/", 9, "l/a/~")).toEqual(keys.slice(2));
      expect(await store.list("l/", 9, "l/a")).toEqual(keys);
      expect(await store.list("l/b/", 9, "l/a/2")).toEqual(keys.slice(2, 4));
      expect(await store.list("l/", 9, "l/c")).toEqual([]);
    });

    it("pages through many keys without leaving one out", async () => {
      const store = (await place()).open();
      const keys = Array.from({ length: 60 }, (_, index) => `m/${index % 7}/k-${index}`).sort();
      for (const key of keys) await store.putIfAbsent(key, new Uint8Array(1));
      const found: string[] = [];
      for (;;) {
        const page = await store.list("m/", 7, found.at(-1) ?? "");
        found.push(...page);
        if (page.length < 7) break;
      }
      expect(found).toEqual(keys);
    });

    it("takes long keys and values of a few megabytes", async () => {
      const store = (await place()).open();
      const key = `state/${"k".repeat(200)}/${"n".repeat(200)}/${"x".repeat(200)}`;
      const bytes = Buffer.alloc(4 * 1024 * 1024, "abc");
      await store.putIfAbsent(key, bytes);
      expect(Buffer.compare((await store.get(key)) ?? new Uint8Array(), bytes)).toBe(0);
    });
  });
}
