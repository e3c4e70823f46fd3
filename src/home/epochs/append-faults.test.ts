import { describe, expect, it } from "vitest";
import type { LogRecord } from "../../model/record.ts";
import { seededNumbers } from "../../testing/disk-seed.ts";
import {
  FaultyStore,
  faultsAtPuts,
  randomFaults,
  type StoreFault,
} from "../../testing/store-faulty.ts";
import { aStage, begin, options, type StageFixture, stateOf } from "../../testing/store-stage.ts";
import type { Epoch } from "../journal.ts";

/** A stage seen through a store that fails at chosen puts; time passes for whoever waits. */
function faultyStage(faults: ReadonlyMap<number, StoreFault>): {
  readonly stage: StageFixture;
  readonly faulty: () => FaultyStore;
} {
  let faulty: FaultyStore | undefined;
  const stage = aStage().another((store) => {
    faulty = new FaultyStore(store, faultsAtPuts(faults));
    return faulty;
  });
  return {
    stage,
    faulty: () => {
      if (faulty === undefined) throw new Error("no store");
      return faulty;
    },
  };
}

function resource(name: string): LogRecord {
  return { kind: "resource", state: stateOf(name) };
}

/** One epoch of four frames and a snapshot: five puts. Returns the names that were acknowledged. */
async function oneEpoch(stage: StageFixture, acknowledged: string[]): Promise<void> {
  const epoch = await begin(stage.log);
  for (const name of ["A", "B"]) {
    await epoch.append([resource(name)]);
    acknowledged.push(name);
  }
  await epoch.end("done");
}

const PUTS = 5;

/** Runs to the end of `work`, or of everything that can happen, while time passes. */
async function settle(stage: StageFixture, work: Promise<unknown>): Promise<unknown> {
  let outcome: unknown = "hangs";
  work.then(
    () => {
      outcome = "done";
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  for (let step = 0; step < 40 && outcome === "hangs"; step += 1) await stage.clock.advance(1_000);
  return outcome;
}

describe("appending, when an answer is lost", () => {
  it.each([...Array(PUTS).keys()])("succeeds when put %i was applied", async (put) => {
    const { stage } = faultyStage(new Map([[put, "lost"]]));
    const acknowledged: string[] = [];
    expect(await settle(stage, oneEpoch(stage, acknowledged))).toBe("done");
    const { snapshot, head } = await stage.another().log.read();
    expect(snapshot.resources.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(head.slot).toBe(4);
  });

  it.each([...Array(PUTS).keys()])("succeeds when put %i was not applied", async (put) => {
    const { stage } = faultyStage(new Map([[put, "dropped"]]));
    expect(await settle(stage, oneEpoch(stage, []))).toBe("done");
    expect((await stage.another().log.read()).head.slot).toBe(4);
  });

  it.each([...Array(PUTS).keys()])("succeeds once when put %i lands later", async (put) => {
    const { stage, faulty } = faultyStage(new Map([[put, "late"]]));
    expect(await settle(stage, oneEpoch(stage, []))).toBe("done");
    await faulty().landLate();
    const { snapshot, head } = await stage.another().log.read();
    expect(snapshot.resources).toHaveLength(2);
    expect(head.slot).toBe(4);
  });

  it("gives up, saying so, when the store never answers", async () => {
    const { stage } = faultyStage(
      new Map([...Array(50).keys()].slice(1).map((n) => [n, "dropped"])),
    );
    const outcome = await settle(stage, oneEpoch(stage, []));
    expect(outcome).toMatchObject({ exit: 6, diagnostics: [{ code: "HOME_UNWRITABLE" }] });
  });

  it.each([...Array(PUTS).keys()])("starts nothing more once put %i finds no room", async (put) => {
    const { stage, faulty } = faultyStage(new Map([[put, "full"]]));
    const acknowledged: string[] = [];
    const outcome = await settle(stage, oneEpoch(stage, acknowledged));
    expect(outcome).toMatchObject({ exit: 6, diagnostics: [{ code: "HOME_FULL" }] });
    expect(faulty().counts.puts).toBe(put + 1);
    stage.killHolder();
    const names = (await stage.another().log.read()).snapshot.resources.map(({ name }) => name);
    expect(names).toEqual(acknowledged);
  });

  it.each(
    [...Array(PUTS).keys()].flatMap((put) => [
      [put, "crash-before"] as const,
      [put, "crash-after"] as const,
    ]),
  )("loses nothing that was acknowledged when the process ends at put %i, %s", async (put, how) => {
    const { stage } = faultyStage(new Map([[put, how]]));
    const acknowledged: string[] = [];
    expect(await settle(stage, oneEpoch(stage, acknowledged))).toBe("hangs");
    stage.killHolder();
    const next = stage.another();
    const epoch = await begin(next.log);
    const names = epoch.snapshot().resources.map(({ name }) => name);
    expect(names.slice(0, acknowledged.length)).toEqual(acknowledged);
    await epoch.end("done");
    expect((await next.log.read()).head.holder).toBeNull();
  });
});

describe("appending, once it has failed", () => {
  it("rejects everything that was queued and everything that comes with the same error", async () => {
    const { stage } = faultyStage(new Map([[1, "full"]]));
    const epoch = await begin(stage.log);
    const codes = await Promise.all(
      [epoch.append([resource("A")]), epoch.append([resource("B")])].map(codeOf),
    );
    expect(codes).toEqual(["HOME_FULL", "HOME_FULL"]);
    expect(epoch.signal.aborted).toBe(true);
    expect(await codeOf(epoch.append([resource("C")]))).toBe("HOME_FULL");
    expect(await codeOf(epoch.end("failed"))).toBe("HOME_FULL");
  });

  it("shows in its snapshot only what is durable", async () => {
    const { stage } = faultyStage(new Map([[2, "full"]]));
    const epoch = await begin(stage.log);
    await epoch.append([resource("A")]);
    await codeOf(epoch.append([resource("B")]));
    expect(epoch.snapshot().resources.map(({ name }) => name)).toEqual(["A"]);
  });
});

describe("two writers of one stage", () => {
  it("get every epoch one at a time, whatever is lost, in 120 histories", async () => {
    for (let seed = 1; seed <= 120; seed += 1) await raceForEpochs(seed);
  });
});

/** Three processes take the stage again and again, each adding one to a count that it reads first. */
async function raceForEpochs(seed: number): Promise<void> {
  const next = seededNumbers(seed);
  const home = aStage();
  const faults: readonly StoreFault[] = ["lost", "dropped", "late"];
  const choose = randomFaults(next, 0.2, faults);
  const writers = [1, 2, 3].map(() => home.another((store) => new FaultyStore(store, choose)));
  let begun = 0;
  let held = 0;
  const work = writers.map(async ({ log }) => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { head, snapshot } = await log.read();
      const epoch = await log.begin(head, options({ lockTimeoutMs: 600_000 }));
      if (epoch === "moved") continue;
      held += 1;
      if (held !== 1) throw new Error(`seed ${seed}: two hold the stage`);
      if (snapshot.resources.length !== begun) throw new Error(`seed ${seed}: an epoch was lost`);
      await epoch.append([resource(`R${String(begun).padStart(3, "0")}`)]);
      begun += 1;
      held -= 1;
      await epoch.end("done");
    }
  });
  const all = Promise.all(work);
  let failure: unknown = null;
  let ended = false;
  all.then(
    () => {
      ended = true;
    },
    (error: unknown) => {
      failure = error;
    },
  );
  for (let step = 0; step < 400 && !ended && failure === null; step += 1)
    await home.clock.advance(500);
  if (failure !== null) throw failure;
  expect(ended).toBe(true);
  const { snapshot } = await home.another().log.read();
  expect(snapshot.resources).toHaveLength(begun);
  expect(begun).toBeGreaterThan(0);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    const found = error as { diagnostics?: readonly { code: string }[] };
    return found.diagnostics?.[0]?.code ?? String(error);
  }
}

describe("a writer that was overtaken", () => {
  async function overtaken(): Promise<{ readonly old: Epoch; readonly stage: StageFixture }> {
    const stage = aStage();
    const old = await begin(stage.log);
    await old.append([resource("A")]);
    stage.killHolder();
    const successor = await begin(stage.another().log);
    await successor.append([resource("B")]);
    await successor.end("done");
    return { old, stage };
  }

  it("is fenced at its next append and starts nothing more", async () => {
    const { old, stage } = await overtaken();
    expect(old.signal.aborted).toBe(false);
    expect(await codeOf(old.append([resource("C")]))).toBe("FENCED");
    expect(old.signal.aborted).toBe(true);
    expect(await codeOf(old.end("done"))).toBe("FENCED");
    const { snapshot } = await stage.another().log.read();
    expect(snapshot.resources.map(({ name }) => name)).toEqual(["A", "B"]);
  });

  it("learns it by its beat when it does nothing", async () => {
    const { old, stage } = await overtaken();
    await stage.clock.advance(21_000);
    expect(old.signal.aborted).toBe(true);
  });

  it("finds its slot taken however late it wakes, after any pruning", async () => {
    const { old, stage } = await overtaken();
    const other = stage.another();
    for (let deploy = 0; deploy < 15; deploy += 1) {
      const epoch = await begin(other.log);
      await epoch.append([resource(`R${deploy}`)]);
      await epoch.end("done");
      await other.log.prune();
    }
    const frames = await stage.store.list("state/a-shop/s-dev/log/", 1_000);
    expect(frames.length).toBeLessThan(15 * 3);
    expect(await codeOf(old.append([resource("C")]))).toBe("FENCED");
  });
});

it("a holder whose stage was unlocked finds its slot taken however late it wakes", async () => {
  const stage = aStage();
  const old = await begin(stage.log);
  await old.append([resource("A")]);
  const other = stage.another();
  await other.log.unlock({ ...options(), force: true });
  for (let deploy = 0; deploy < 15; deploy += 1) {
    await (await begin(other.log)).end("done");
    await other.log.prune();
  }
  expect(await codeOf(old.append([resource("B")]))).toBe("FENCED");
});

it("a process that slept before it began an epoch does not get a slot that was pruned", async () => {
  const stage = aStage();
  const first = await begin(stage.log);
  const sleeper = stage.another();
  const { head } = await sleeper.log.read();
  await first.append([resource("A")]);
  await first.append([resource("B")]);
  await first.end("done");
  for (let deploy = 0; deploy < 15; deploy += 1) {
    await (await begin(stage.log)).end("done");
    await stage.log.prune();
  }
  expect(await stage.store.get("state/a-shop/s-dev/log/999999999997-2")).toBeNull();
  sleeper.killHolder();
  expect(await sleeper.log.begin(head, options())).toBe("moved");
});
