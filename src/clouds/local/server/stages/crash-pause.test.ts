import { describe, expect, it } from "vitest";
import { createCrashPause } from "./crash-pause.ts";

describe("a crash pause", () => {
  it("is none at first, grows with every crash, and has an upper bound", () => {
    let nowMs = 0;
    const pause = createCrashPause(() => nowMs);
    const waits = Array.from({ length: 9 }, () => {
      pause.crashed(50);
      const waitMs = pause.waitMs();
      nowMs += waitMs;
      return waitMs;
    });
    expect(waits).toEqual([0, 0, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(pause.waitMs()).toBe(0);
  });

  it("starts afresh after a runner that lived", () => {
    const pause = createCrashPause(() => 0);
    for (let crash = 0; crash < 5; crash += 1) pause.crashed(50);
    expect(pause.waitMs()).toBeGreaterThan(0);
    const fresh = createCrashPause(() => 0);
    for (let crash = 0; crash < 5; crash += 1) fresh.crashed(60_000);
    expect(fresh.waitMs()).toBe(0);
  });
});
