import { describe, expect, it } from "vitest";
import { aStage, begin, create, type StageFixture, stateOf } from "../../testing/store-stage.ts";

/** One epoch that creates a resource; returns its serial. */
async function deploy(stage: StageFixture, name: string): Promise<number> {
  const epoch = await begin(stage.log, { command: `deploy ${name}` });
  await create(epoch, name);
  await epoch.end("done");
  return (await stage.log.read()).head.slot;
}

describe("a stage's history", () => {
  it("tells every epoch, newest first, with how it ended", async () => {
    const stage = aStage();
    expect(await stage.log.history(5)).toEqual([]);
    const first = await deploy(stage, "A");
    const overtaken = await begin(stage.log, { command: "deploy B" });
    await create(overtaken, "B");
    stage.killHolder();
    const failed = await begin(stage.log, { command: "deploy C" });
    await failed.end("failed");
    await begin(stage.log, { command: "deploy D" });
    const history = await stage.another().log.history(10);
    expect(history.map(({ command, status }) => `${command} ${status}`)).toEqual([
      "deploy D open",
      "deploy C failed",
      "deploy B interrupted",
      "deploy A done",
    ]);
    expect(history[3]).toMatchObject({ serial: first, epoch: 1, resources: 1, who: "ada@engine" });
    expect(await stage.log.history(2)).toHaveLength(2);
  });

  it("costs two reads an epoch, however long the epochs were", async () => {
    const stage = aStage();
    for (const name of ["A", "B", "C"]) await deploy(stage, name);
    const reader = stage.another();
    await reader.log.history(3);
    expect(reader.calls.filter((call) => call === "get").length).toBeLessThanOrEqual(6);
  });

  it("gives back the state at the end of each epoch", async () => {
    const stage = aStage();
    const serials: number[] = [];
    for (const name of ["A", "B", "C"]) serials.push(await deploy(stage, name));
    for (const [index, serial] of serials.entries()) {
      const { resources, serial: at } = await stage.log.at(serial);
      expect(resources.map(({ name }) => name)).toEqual(["A", "B", "C"].slice(0, index + 1));
      expect(at).toBe(serial);
    }
  });

  it("gives back a state whose snapshot is gone from the frames before it", async () => {
    const stage = aStage();
    const serial = await deploy(stage, "A");
    await deploy(stage, "B");
    for (const key of await stage.store.list("state/a-shop/s-dev/snap/", 10))
      if (key.endsWith(`-${serial - 1}`)) await stage.store.delete(key);
    expect((await stage.log.at(serial)).resources).toEqual([stateOf("A")]);
  });

  it.each([0, -1, 1.5, 2, 99])("knows no serial %d where no epoch ended", async (serial) => {
    const stage = aStage();
    await deploy(stage, "A");
    await expect(stage.log.at(serial)).rejects.toMatchObject({
      diagnostics: [{ code: "SERIAL_UNKNOWN" }],
    });
  });
});

describe("pruning", () => {
  it("keeps the last ten states, and what begins an epoch", async () => {
    const stage = aStage();
    const serials: number[] = [];
    for (let index = 0; index < 25; index += 1)
      serials.push(await deploy(stage, `R${String(index).padStart(2, "0")}`));
    await stage.log.prune();
    expect((await stage.another().log.read()).snapshot.resources).toHaveLength(25);
    for (const serial of serials.slice(-10)) await stage.log.at(serial);
    await expect(stage.log.at(serials[0] ?? 0)).rejects.toThrow("has no serial");
    expect(await stage.store.list("state/a-shop/s-dev/snap/", 100)).toHaveLength(10);
    const starts = (await stage.log.history(100)).length;
    expect(starts).toBeGreaterThanOrEqual(10);
    await stage.log.prune();
    expect((await stage.another().log.read()).snapshot.resources).toHaveLength(25);
  });

  it("deletes nothing while the oldest state to keep cannot be read", async () => {
    const stage = aStage();
    for (let index = 0; index < 12; index += 1) await deploy(stage, `R${index}`);
    const snapshots = await stage.store.list("state/a-shop/s-dev/snap/", 100);
    stage.store.damage(snapshots[9] ?? "", Buffer.from("{}"));
    const before = await stage.store.list("", 1_000);
    await stage.log.prune();
    expect(await stage.store.list("", 1_000)).toEqual(before);
  });

  it("can be interrupted at any deletion and is finished by the next", async () => {
    const { FaultyStore } = await import("../../testing/store-faulty.ts");
    const stage = aStage();
    for (let index = 0; index < 13; index += 1) await deploy(stage, `R${index}`);
    for (let left = 0; left < 4; left += 1) {
      let deletions = 0;
      const interrupted = stage.another(
        (store) =>
          new FaultyStore(store, ({ verb }) => {
            if (verb !== "delete") return "none";
            deletions += 1;
            return deletions > 2 ? "crash-before" : "none";
          }),
      );
      void interrupted.log.prune();
      await stage.clock.advance(1);
      expect((await stage.another().log.read()).snapshot.resources).toHaveLength(13);
    }
    await stage.log.prune();
    const frames = await stage.store.list("state/a-shop/s-dev/log/", 1_000);
    await stage.log.prune();
    expect(await stage.store.list("state/a-shop/s-dev/log/", 1_000)).toEqual(frames);
    expect(await stage.store.list("state/a-shop/s-dev/snap/", 100)).toHaveLength(10);
  });
});
