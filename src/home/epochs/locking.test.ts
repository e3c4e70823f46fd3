import { describe, expect, it } from "vitest";
import { aStage, begin, options, stateOf } from "../../testing/store-stage.ts";
import type { Epoch, Holder } from "../journal.ts";

/** What a promise came to while time passes in steps of a second. */
function watch<T>(work: Promise<T>): { outcome(): unknown } {
  let outcome: unknown = "waits";
  work.then(
    (value) => {
      outcome = value;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  return { outcome: () => outcome };
}

describe("a stage that is held", () => {
  it("is refused at once, naming the holder", async () => {
    const stage = aStage();
    await begin(stage.log, { command: "deploy --stage dev" });
    const { log } = stage.another();
    const { head } = await log.read();
    const refusal = await log.begin(head, options()).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ exit: 3, diagnostics: [{ code: "STAGE_LOCKED" }] });
    expect(String(refusal)).toContain("ada@engine");
    expect(JSON.stringify(refusal)).toContain("deploy --stage dev");
  });

  it("is waited for as long as the caller wants, telling once a second", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    const { log } = stage.another();
    const { head } = await log.read();
    const told: number[] = [];
    const onWait = (_: Holder, waitedMs: number): void => {
      told.push(waitedMs);
    };
    const waiting = watch(log.begin(head, options({ lockTimeoutMs: 300_000, onWait })));
    await stage.clock.advance(150_000);
    expect(waiting.outcome()).toBe("waits");
    expect(told.length).toBeGreaterThan(140);
    await epoch.end("done");
    await stage.clock.advance(2_000);
    expect(waiting.outcome()).toBe("moved");
  });

  it("is given up on after the time the caller gave", async () => {
    const stage = aStage();
    await begin(stage.log);
    const { log } = stage.another();
    const { head } = await log.read();
    const waiting = watch(log.begin(head, options({ lockTimeoutMs: 90_000 })));
    await stage.clock.advance(89_000);
    expect(waiting.outcome()).toBe("waits");
    await stage.clock.advance(2_000);
    expect(waiting.outcome()).toMatchObject({ diagnostics: [{ code: "STAGE_LOCKED" }] });
  });

  it("stops being waited for when the caller is interrupted", async () => {
    const stage = aStage();
    await begin(stage.log);
    const { log } = stage.another();
    const { head } = await log.read();
    const interrupt = new AbortController();
    const { signal } = interrupt;
    const waiting = watch(log.begin(head, options({ lockTimeoutMs: 300_000, signal })));
    await stage.clock.advance(5_000);
    interrupt.abort(new Error("interrupted"));
    await stage.clock.advance(1);
    expect(waiting.outcome()).toMatchObject({ message: "interrupted" });
  });

  it("is not overtaken while its holder is idle but beats", async () => {
    const stage = aStage();
    await begin(stage.log);
    const { log } = stage.another();
    const { head } = await log.read();
    const waiting = watch(log.begin(head, options({ lockTimeoutMs: 1_000_000 })));
    await stage.clock.advance(600_000);
    expect(waiting.outcome()).toBe("waits");
    expect((await log.read()).head.slot).toBeGreaterThan(25);
  });
});

/** A holder on another machine that ended without a word, as a machine does that is switched off. */
async function silentHolder() {
  const stage = aStage();
  const { FaultyStore } = await import("../../testing/store-faulty.ts");
  let kill = (): void => {};
  const holder = stage.another((store) => {
    const faulty = new FaultyStore(store, () => "none");
    kill = () => faulty.kill();
    return faulty;
  });
  const epoch = await begin(holder.log);
  await epoch.append([{ kind: "resource", state: stateOf("A") }]);
  kill();
  return stage.another();
}

describe("a holder that fell silent", () => {
  it("is overtaken after a minute of silence by who waits", async () => {
    const stage = await silentHolder();
    const { head } = await stage.log.read();
    const waiting = watch(stage.log.begin(head, options({ lockTimeoutMs: 300_000 })));
    await stage.clock.advance(60_000);
    expect(waiting.outcome()).toBe("waits");
    await stage.clock.advance(10_000);
    const epoch = waiting.outcome() as Epoch;
    expect(epoch.epoch).toBe(2);
    expect(epoch.snapshot().resources).toHaveLength(1);
    await epoch.end("done");
  });

  it("is watched and overtaken even by who does not want to wait for a live one", async () => {
    const stage = await silentHolder();
    await stage.clock.advance(3_600_000);
    const { head } = await stage.log.read();
    const waiting = watch(stage.log.begin(head, options({ lockTimeoutMs: 0 })));
    await stage.clock.advance(70_000);
    expect((waiting.outcome() as Epoch).epoch).toBe(2);
  });

  it("is not taken for silent because the waiter's own machine slept", async () => {
    const stage = aStage();
    await begin(stage.log);
    const { log } = stage.another();
    const { head } = await log.read();
    const waiting = watch(log.begin(head, options({ lockTimeoutMs: 100_000_000 })));
    for (let nap = 0; nap < 20; nap += 1) {
      await stage.clock.advance(1_500);
      stage.clock.jump(3_600_000);
    }
    expect(waiting.outcome()).toBe("waits");
  });

  it("is overtaken at once when it is known to have ended", async () => {
    const stage = aStage();
    await begin(stage.log);
    stage.killHolder();
    expect((await begin(stage.another().log)).epoch).toBe(2);
  });

  it("is overtaken by exactly one of two who waited", async () => {
    const stage = await silentHolder();
    const waiters = [stage, stage.another()];
    const watched = await Promise.all(
      waiters.map(async ({ log }) => {
        const { head } = await log.read();
        return watch(log.begin(head, options({ lockTimeoutMs: 100_000 })));
      }),
    );
    await stage.clock.advance(80_000);
    const outcomes = watched.map((one) => one.outcome());
    expect(outcomes.filter((outcome) => outcome === "waits")).toHaveLength(1);
    await (outcomes.find((outcome) => outcome !== "waits") as Epoch).end("done");
    await stage.clock.advance(5_000);
    expect(watched.map((one) => one.outcome()).filter((one) => one === "moved")).toHaveLength(1);
  });
});

describe("unlocking", () => {
  it("says so when nothing is locked", async () => {
    const { log } = aStage();
    expect(await log.unlock({ ...options(), force: false })).toBe("not-locked");
    await (await begin(log)).end("done");
    expect(await log.unlock({ ...options(), force: true })).toBe("not-locked");
  });

  it("refuses a holder that lives, and one that wrote a moment ago", async () => {
    const stage = aStage();
    await begin(stage.log);
    const { log } = stage.another();
    for (const verdict of ["alive", "unknown"] as const) {
      stage.judge(verdict);
      await expect(log.unlock({ ...options(), force: false })).rejects.toMatchObject({
        exit: 3,
        diagnostics: [{ code: "STAGE_LOCKED", hint: expect.stringContaining("--force") }],
      });
    }
  });

  it("ends the epoch of a holder that is gone, keeping everything it recorded", async () => {
    const stage = await silentHolder();
    await stage.clock.advance(100_000);
    expect(await stage.log.unlock({ ...options(), force: false })).toBe("unlocked");
    const { snapshot, head } = await stage.log.read();
    expect(head.holder).toBeNull();
    expect(snapshot.resources.map(({ name }) => name)).toEqual(["A"]);
    expect((await stage.log.history(5))[0]).toMatchObject({ status: "forced", epoch: 1 });
  });

  it("by force fences a holder that lives", async () => {
    const stage = aStage();
    const epoch = await begin(stage.log);
    stage.judge("alive");
    expect(await stage.another().log.unlock({ ...options(), force: true })).toBe("unlocked");
    await expect(epoch.append([{ kind: "resource", state: stateOf("A") }])).rejects.toMatchObject({
      exit: 3,
      diagnostics: [{ code: "FENCED" }],
    });
    expect(epoch.signal.aborted).toBe(true);
  });
});
