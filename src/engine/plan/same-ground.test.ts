import { describe, expect, it } from "vitest";
import { emptySnapshot, type StageFacts } from "../../model/snapshot.ts";
import { isSameGround } from "./same-ground.ts";

const facts: StageFacts = {
  identity: { cloud: "test", account: "1", region: "here" },
  removal: "remove",
  protect: false,
  outputs: {},
  secrets: null,
};
const before = { ...emptySnapshot("shop", "dev"), facts };

describe("a plan holds over another state", () => {
  it("when only the serial and the outputs have changed", () => {
    const now = { ...before, serial: 7, facts: { ...facts, outputs: { url: "x" } } };
    expect(isSameGround(before, now)).toBe(true);
    expect(isSameGround({ ...before, facts: null }, before)).toBe(true);
  });

  it("but not when records have changed, protection has, or something was interrupted", () => {
    expect(isSameGround(before, { ...before, resources: [] })).toBe(false);
    expect(isSameGround(before, { ...before, facts: { ...facts, protect: true } })).toBe(false);
  });
});
