import { expect, it } from "vitest";
import type { Clock } from "../../../model/world.ts";
import { Pacer } from "./pacer.ts";

/** A clock on which a sleep passes at once and is noted. */
function notingClock() {
  let nowMs = 5_000;
  const sleeps: number[] = [];
  const clock: Clock = {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (ms) => void sleeps.push(ms),
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { clock, sleeps, pass };
}

it("lets a burst go at once, and then one call an interval", async () => {
  const { clock, sleeps } = notingClock();
  const pacer = new Pacer({ perSecond: 10, burst: 3 }, clock);
  for (let call = 0; call < 6; call += 1) await pacer.turn();
  expect(sleeps).toEqual([100, 200, 300]);
});

it("allows a burst again after a rest", async () => {
  const { clock, sleeps, pass } = notingClock();
  const pacer = new Pacer({ perSecond: 10, burst: 2 }, clock);
  for (let call = 0; call < 2; call += 1) await pacer.turn();
  pass(10_000);
  for (let call = 0; call < 3; call += 1) await pacer.turn();
  expect(sleeps).toEqual([100]);
});
