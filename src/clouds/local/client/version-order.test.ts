import { describe, expect, it } from "vitest";
import { compareVersions } from "./version-order.ts";

describe("versions", () => {
  it.each([
    ["1.0.0", "1.0.0", 0],
    ["1.9.0", "1.10.0", -1],
    ["2.0.0", "1.99.99", 1],
    ["1.0.0-rc.1", "1.0.0", -1],
    ["1.0.0", "1.0.0-rc.1", 1],
    ["1.0.0+build", "1.0.0", 0],
  ])("%s against %s is %i", (left, right, expected) => {
    expect(Math.sign(compareVersions(left, right))).toBe(expected);
  });
});
