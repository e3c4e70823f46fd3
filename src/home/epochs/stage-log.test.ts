import { describe, expect, it } from "vitest";
import type { LogRecord } from "../../model/record.ts";
import { aStage, begin, create, intentOf, options, stateOf } from "../../testing/store-stage.ts";

describe("a stage's log", () => {
  it("knows nothing of a stage that never was", async () => {
    const { log } = aStage();
    const reading = await log.read();
    expect(reading.snapshot.serial).toBe(0);
    expect(reading.head).toEqual({ slot: 0, hash: "", epoch: 0, holder: null });
    expect(reading.notes).toEqual([]);
  });

  it("reads back what an epoch recorded", async () => {
    const { log } = aStage();
    const epoch = await begin(log);
    await create(epoch, "Uploads");
    await epoch.end("done");
    const { snapshot, head } = await log.read();
    expect(snapshot.resources).toEqual([stateOf("Uploads")]);
    expect(snapshot.lineage).toMatch(/^[0-9a-f]{32}$/);
    expect(snapshot.openIntents).toEqual([]);
    expect(snapshot.updatedAt).not.toBeNull();
    expect(head.holder).toBeNull();
    expect(head.slot).toBe(snapshot.serial);
  });

  it("reads an ended stage with two listings and two reads", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    await create(epoch, "Uploads");
    await epoch.end("done");
    const counting = stage.another();
    await counting.log.read();
    expect(counting.calls).toEqual(["list", "list", "get", "get"]);
  });

  it("reads a stage again with one read while its head is the same, and anew when it is not", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    await create(epoch, "Uploads");
    await epoch.end("done");
    const counting = stage.another();
    const first = await counting.log.read();
    counting.calls.length = 0;
    expect(await counting.log.read()).toEqual(first);
    expect(counting.calls).toEqual(["list", "list", "get"]);
    const next = await begin(stage.log);
    await create(next, "Downloads");
    await next.end("done");
    const { snapshot } = await counting.log.read();
    expect(snapshot.resources.map(({ name }) => name)).toEqual(["Downloads", "Uploads"]);
  });

  it("keeps an intent whose outcome was never recorded open for the next epoch", async () => {
    const { log, killHolder } = aStage();
    const epoch = await begin(log);
    await epoch.append([{ kind: "intent", intent: intentOf(epoch, "Uploads") }]);
    killHolder();
    const next = await begin(log);
    expect(next.snapshot().openIntents.map((intent) => intent.name)).toEqual(["Uploads"]);
    expect(next.epoch).toBe(2);
    await next.end("done");
  });

  it("refuses a record that fits nothing before it is written", async () => {
    const { log } = aStage();
    const epoch = await begin(log);
    const intent: LogRecord = { kind: "intent", intent: intentOf(epoch, "Uploads") };
    await expect(epoch.append([{ kind: "outcome", intent: "9.9" }])).rejects.toThrow("not open");
    await epoch.append([intent]);
    await expect(epoch.append([intent])).rejects.toThrow("begun twice");
    await epoch.end("failed");
    expect((await log.read()).snapshot.openIntents).toHaveLength(1);
  });

  it("gives the same promise to everybody who ends it", async () => {
    const { log } = aStage();
    const epoch = await begin(log);
    await Promise.all([epoch.end("done"), epoch.end("done")]);
    expect((await log.read()).head.slot).toBe(2);
    expect(epoch.signal.aborted).toBe(true);
    await expect(epoch.append([])).rejects.toThrow("ending");
  });

  it("keeps its lineage over epochs", async () => {
    const { log } = aStage();
    const first = await begin(log);
    await first.end("done");
    const { lineage } = (await log.read()).snapshot;
    const second = await begin(log);
    await second.end("done");
    expect((await log.read()).snapshot.lineage).toBe(lineage);
  });

  it("tells a caller whose head is old to read again", async () => {
    const { log } = aStage();
    const { head } = await log.read();
    const epoch = await begin(log);
    await epoch.end("done");
    expect(await log.begin(head, options())).toBe("moved");
  });

  it("puts records that are appended together into one frame", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    const names = Array.from({ length: 40 }, (_, index) => `Bucket${index}`);
    await Promise.all(names.map((name) => create(epoch, name)));
    await epoch.end("done");
    expect((await stage.log.read()).head.slot).toBeLessThanOrEqual(5);
    expect((await stage.log.read()).snapshot.resources).toHaveLength(40);
  });

  it("closes a frame at 1 MiB", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    const big = (name: string): LogRecord => ({
      kind: "resource",
      state: { ...stateOf(name), outputs: { text: "x".repeat(600_000) } },
    });
    await Promise.all([epoch.append([big("A")]), epoch.append([big("B")])]);
    expect(epoch.snapshot().serial).toBe(3);
    await epoch.end("done");
  });

  it("writes no snapshot that is larger than a store takes, and is read from its frames", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    const text = "x".repeat(30 * 1024 * 1024);
    for (const name of ["A", "B", "C"])
      await epoch.append([{ kind: "resource", state: { ...stateOf(name), outputs: { text } } }]);
    await epoch.end("done");
    expect((await stage.log.read()).snapshot.resources).toHaveLength(3);
    expect(await stage.store.list("state/a-shop/s-dev/snap/", 1)).toEqual([]);
  });
});
