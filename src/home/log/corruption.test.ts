import { describe, expect, it } from "vitest";
import { aStage, begin, create, type StageFixture } from "../../testing/store-stage.ts";
import { sealEnvelope } from "./envelope.ts";

const LOG = "state/a-shop/s-dev/log/";
const SNAPSHOTS = "state/a-shop/s-dev/snap/";

/** Two epochs that ended, of one resource each. */
async function deployedTwice(): Promise<StageFixture> {
  const stage = aStage();
  for (const name of ["A", "B"]) {
    const epoch = await begin(stage.log);
    await create(epoch, name);
    await epoch.end("done");
  }
  return stage;
}

async function keys(stage: StageFixture): Promise<readonly string[]> {
  return stage.store.list("", 100);
}

async function bytesOf(stage: StageFixture, key: string): Promise<Uint8Array> {
  return (await stage.store.get(key)) ?? new Uint8Array();
}

/** What can happen to a file, by name. */
const DAMAGE: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  "cut to nothing": () => new Uint8Array(),
  "cut in half": (bytes) => bytes.slice(0, bytes.length / 2),
  "filled with NUL": (bytes) => new Uint8Array(bytes.length),
  "half filled with NUL": (bytes) => {
    const half = new Uint8Array(bytes);
    return half.fill(0, bytes.length / 2);
  },
  "changed by a bit": (bytes) => {
    const flipped = new Uint8Array(bytes);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    return flipped;
  },
  "merged with a conflict": (bytes) => Buffer.concat([Buffer.from("<<<<<<< HEAD\n"), bytes]),
  "edited by hand": (bytes) =>
    Buffer.from(Buffer.from(bytes).toString().replace('"slot":', '"slot": ')),
};

describe.each(Object.entries(DAMAGE))("a file that was %s", (_, damage) => {
  it("never turns a stage into a new one or loses a resource that another file knows", async () => {
    for (const key of await keys(await deployedTwice())) {
      const stage = await deployedTwice();
      stage.store.damage(key, damage(await bytesOf(stage, key)));
      const reading = await stage
        .another()
        .log.read()
        .catch((error: unknown) => error);
      if (reading instanceof Error) {
        expect(reading).toMatchObject({ exit: 6, diagnostics: [{ code: "STATE_CORRUPT" }] });
        expect(reading.message).toContain(key);
      } else {
        expect(reading).toMatchObject({ snapshot: { resources: [{ name: "A" }, { name: "B" }] } });
      }
    }
  });

  it("in the log, before a good one that is needed, stops everything", async () => {
    const stage = await deployedTwice();
    for (const key of await stage.store.list(SNAPSHOTS, 10)) await stage.store.delete(key);
    const frames = await stage.store.list(LOG, 10);
    const key = frames[2] ?? "";
    stage.store.damage(key, damage(await bytesOf(stage, key)));
    const { log } = stage.another();
    await expect(log.read()).rejects.toMatchObject({
      exit: 6,
      diagnostics: [{ code: "STATE_CORRUPT", why: expect.stringContaining("serial 5 is good") }],
    });
    await expect(log.read()).rejects.toThrow(key);
  });
});

describe("a stage with all its files damaged", () => {
  it.each(Object.entries(DAMAGE))("is not a new stage when they were %s", async (_, damage) => {
    const stage = await deployedTwice();
    for (const key of await keys(stage)) stage.store.damage(key, damage(await bytesOf(stage, key)));
    await expect(stage.another().log.read()).rejects.toMatchObject({
      exit: 6,
      diagnostics: [{ code: "STATE_CORRUPT" }],
    });
  });

  it("is not a new stage when only its snapshots are left", async () => {
    const stage = await deployedTwice();
    for (const key of await stage.store.list(LOG, 100)) await stage.store.delete(key);
    await expect(stage.another().log.read()).rejects.toMatchObject({ exit: 6 });
  });

  it("is not a new stage when the newest frames are gone", async () => {
    const stage = await deployedTwice();
    const newest = await stage.store.list(LOG, 4);
    for (const key of newest) await stage.store.delete(key);
    await expect(stage.another().log.read()).rejects.toMatchObject({ exit: 6 });
  });
});

describe("a torn last frame", () => {
  async function withTornEnd(): Promise<StageFixture> {
    const stage = await deployedTwice();
    const [newest = ""] = await stage.store.list(LOG, 1);
    stage.store.damage(newest, (await bytesOf(stage, newest)).slice(0, 50));
    stage.killHolder();
    return stage.another();
  }

  it("is ignored with a note", async () => {
    const { snapshot, notes, head } = await (await withTornEnd()).log.read();
    expect(snapshot.resources).toHaveLength(2);
    expect(notes.join()).toContain("ends in the middle");
    expect(head.slot).toBe(snapshot.serial);
  });

  it("is gone on behind, and stays readable after that", async () => {
    const stage = await withTornEnd();
    const epoch = await begin(stage.log);
    await create(epoch, "C");
    await epoch.end("done");
    for (const key of await stage.store.list(SNAPSHOTS, 1)) await stage.store.delete(key);
    const { snapshot } = await stage.another().log.read();
    expect(snapshot.resources.map(({ name }) => name)).toEqual(["A", "B", "C"]);
    expect((await stage.log.history(5)).map(({ status }) => status)).toEqual([
      "done",
      "interrupted",
      "done",
    ]);
  });

  it("that was gone on behind must not change any more", async () => {
    const stage = await withTornEnd();
    const [torn = ""] = await stage.store.list(LOG, 1);
    const epoch = await begin(stage.log);
    await epoch.end("done");
    for (const key of await stage.store.list(SNAPSHOTS, 1)) await stage.store.delete(key);
    stage.store.damage(torn, (await bytesOf(stage, torn)).slice(0, 40));
    await expect(stage.another().log.read()).rejects.toThrow(torn);
  });

  it("of a first deploy that never got to record anything is no obstacle", async () => {
    const stage = aStage();
    await begin(stage.log);
    const [only = ""] = await stage.store.list(LOG, 1);
    stage.store.damage(only, new Uint8Array());
    const epoch = await begin(stage.another().log);
    await create(epoch, "A");
    await epoch.end("done");
    expect((await stage.another().log.read()).snapshot.resources).toHaveLength(1);
  });
});

describe("a file of a later version", () => {
  const later = (more: object) => sealEnvelope(JSON.stringify({ format: 2, ...more })).bytes;

  it("stops everything and names the version that reads it", async () => {
    const stage = await deployedTwice();
    const [newest = ""] = await stage.store.list(LOG, 1);
    stage.store.damage(newest, later({ requires: "1.4.0" }));
    await expect(stage.another().log.read()).rejects.toMatchObject({
      exit: 6,
      diagnostics: [{ code: "STATE_TOO_NEW", message: expect.stringContaining("1.4.0") }],
    });
  });

  it("stops everything as a snapshot, too", async () => {
    const stage = await deployedTwice();
    const [newest = ""] = await stage.store.list(SNAPSHOTS, 1);
    stage.store.damage(newest, later({}));
    await expect(stage.another().log.read()).rejects.toMatchObject({
      diagnostics: [{ code: "STATE_TOO_NEW" }],
    });
  });

  it("is recognised by a record of a kind that is not known yet", async () => {
    const stage = await deployedTwice();
    const [newest = ""] = await stage.store.list(LOG, 1);
    const text =
      Buffer.from(await bytesOf(stage, newest))
        .toString()
        .split("\n")[0] ?? "";
    const unknown = text.replace('"kind":"epoch-end"', '"kind":"epoch-pause"');
    stage.store.damage(newest, sealEnvelope(unknown).bytes);
    await expect(stage.another().log.read()).rejects.toMatchObject({
      diagnostics: [{ code: "STATE_TOO_NEW" }],
    });
  });
});

it("a snapshot that belongs to another stage is not used", async () => {
  const stage = await deployedTwice();
  const [newest = ""] = await stage.store.list(SNAPSHOTS, 1);
  const text =
    Buffer.from(await bytesOf(stage, newest))
      .toString()
      .split("\n")[0] ?? "";
  stage.store.damage(newest, sealEnvelope(text.replace('"stage":"dev"', '"stage":"qa"')).bytes);
  const { snapshot, notes } = await stage.another().log.read();
  expect(snapshot.stage).toBe("dev");
  expect(notes.join()).toContain("qa");
});
