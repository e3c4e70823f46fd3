import { describe, expect, it } from "vitest";
import { SimulatedClock, SimulatedTime } from "../../testing/simulated-clock.ts";
import { CallWatch } from "./call-watch.ts";

function watched(): { watch: CallWatch; time: SimulatedTime; cut: AbortController } {
  const time = new SimulatedTime();
  const cut = new AbortController();
  return { watch: new CallWatch(new SimulatedClock(time), 1_000, cut.signal), time, cut };
}

/** A call that never answers, and tells how it was given up. */
function silent(signal: AbortSignal): Promise<never> {
  expect(signal.aborted).toBe(false);
  return new Promise(() => {});
}

describe("CallWatch", () => {
  it("hands on what a call answers or rejects with", async () => {
    const { watch } = watched();
    await expect(watch.run(async () => "answer")).resolves.toBe("answer");
    await expect(watch.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("gives up a call that does not answer in time, and tells it so", async () => {
    const { watch, time } = watched();
    let told: unknown = null;
    const startMs = time.nowMs;
    const call = watch.run((signal) => {
      signal.addEventListener("abort", () => {
        told = signal.reason;
      });
      return silent(signal);
    });
    await expect(call).rejects.toThrow("No answer within 1 s");
    expect(told).toBeInstanceOf(Error);
    expect(time.nowMs - startMs).toBeGreaterThanOrEqual(1_000);
    expect(time.nowMs - startMs).toBeLessThanOrEqual(1_100);
  });

  it("gives a call that began later its full time", async () => {
    const { watch, time } = watched();
    const clock = new SimulatedClock(time);
    const first = watch.run(silent).catch(() => time.nowMs);
    await clock.sleep(500);
    const startMs = time.nowMs;
    const second = watch.run(silent).catch(() => time.nowMs);
    await first;
    expect((await second) - startMs).toBeGreaterThanOrEqual(1_000);
  });

  it("gives up every call at once when the epoch can write no more", async () => {
    const { watch, cut } = watched();
    const calls = [watch.run(silent), watch.run(silent)];
    cut.abort(new Error("fenced"));
    for (const call of calls) await expect(call).rejects.toThrow("taken over");
  });

  it("leaves no timer behind once nothing is under way", async () => {
    const { watch, time } = watched();
    await watch.run(async () => "answer");
    const beforeMs = time.nowMs;
    for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
    expect(time.nowMs).toBe(beforeMs);
  });
});
