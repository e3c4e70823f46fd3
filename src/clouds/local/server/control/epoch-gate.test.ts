import { describe, expect, it } from "vitest";
import { createEpochGate, parseEpoch, type StageEpoch } from "./epoch-gate.ts";

const STAGE = "a-shop.s-dev";
const epoch = (number: number, lineage = "l"): StageEpoch => ({ lineage, number });

describe("the gate of epochs", () => {
  it("refuses what an earlier epoch sends once a later one has been seen", async () => {
    const gate = createEpochGate();
    expect(await gate.pass(STAGE, epoch(1), async () => "first")).toBe("first");
    expect(await gate.pass(STAGE, epoch(2), async () => "second")).toBe("second");
    let isDone = false;
    const late = gate.pass(STAGE, epoch(1), async () => {
      isDone = true;
    });
    await expect(late).rejects.toMatchObject({ status: 409, body: { code: "LOCAL_OVERTAKEN" } });
    expect(isDone).toBe(false);
  });

  it("lets a later epoch look only when what an earlier one began is over", async () => {
    const gate = createEpochGate();
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const slow = gate.pass(STAGE, epoch(1), async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      order.push("made");
    });
    await new Promise((resolve) => setImmediate(resolve));
    const look = gate.pass(STAGE, epoch(2), async () => void order.push("looked"));
    const lookToo = gate.pass(STAGE, epoch(2), async () => void order.push("looked too"));
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    await Promise.all([slow, look, lookToo]);
    expect(order).toEqual(["made", "looked", "looked too"]);
  });

  it("refuses what waited while the next epoch came", async () => {
    const gate = createEpochGate();
    let finish: () => void = () => undefined;
    const slow = gate.pass(
      STAGE,
      epoch(1),
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    const waits = gate.pass(STAGE, epoch(2), async () => "done");
    const takesOver = gate.pass(STAGE, epoch(3), async () => "done");
    finish();
    await slow;
    await expect(waits).rejects.toMatchObject({ status: 409 });
    expect(await takesOver).toBe("done");
  });

  it("goes on after an act that failed, and tells stages and lineages apart", async () => {
    const gate = createEpochGate();
    const fails = gate.pass(STAGE, epoch(5), async () => Promise.reject(new Error("no")));
    await expect(fails).rejects.toThrow("no");
    expect(await gate.pass(STAGE, epoch(6), async () => 1)).toBe(1);
    expect(await gate.pass("a-shop.s-other", epoch(1), async () => 2)).toBe(2);
    expect(await gate.pass(STAGE, epoch(1, "anew"), async () => 3)).toBe(3);
    expect(await gate.pass(STAGE, null, async () => 4)).toBe(4);
  });

  it("reads the header, and refuses what is none", () => {
    expect(parseEpoch(undefined)).toBe(null);
    expect(parseEpoch("0a1b.12")).toEqual({ lineage: "0a1b", number: 12 });
    for (const wrong of ["", "12", "a.b", ".1", `a.${"1".repeat(16)}`]) {
      expect(() => parseEpoch(wrong)).toThrow("cannot be read");
    }
  });
});
