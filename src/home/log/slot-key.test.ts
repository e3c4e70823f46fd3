import fc from "fast-check";
import { expect, it } from "vitest";
import { slotKey, slotOf } from "./slot-key.ts";

const slot = fc.integer({ min: 1, max: 999_999_999_999 });

it("a later slot sorts before an earlier one", () => {
  fc.assert(
    fc.property(slot, slot, (a, b) => {
      fc.pre(a < b);
      expect(slotKey(b) < slotKey(a)).toBe(true);
    }),
  );
});

it("a key tells its slot, and nothing else passes for a key", () => {
  fc.assert(fc.property(slot, (a) => slotOf(`state/a/log/${slotKey(a)}`) === a));
  for (const other of ["", "x", "1", "999999999998-2", "-1", "999999999999-0", "log/1e3"])
    expect(slotOf(other)).toBeNull();
});
