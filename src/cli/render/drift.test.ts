import { expect, test } from "vitest";
import { fail } from "../../model/diagnostic.ts";
import type { ResourceState } from "../../model/resource.ts";
import { urnOf } from "../../model/urn.ts";
import { driftDocument, driftText } from "./drift.ts";
import { PLAIN } from "./style.ts";

const state: ResourceState = {
  urn: urnOf("x:bucket", "Files"),
  type: "x:bucket",
  name: "Files",
  component: "Files",
  status: "live",
  generation: 1,
  physicalName: "shop-dev-Files-0",
  id: "shop-dev-Files-0",
  inputs: {},
  outputs: {},
  dependsOn: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const [diagnostic] = fail("RESOURCE_UNREADABLE", "Files cannot be\nread").diagnostics;

test("a stage without drift says so", () => {
  expect(driftText([], 1, PLAIN)).toBe("No drift, 1 resource as recorded\n");
  expect(driftText([], 3, PLAIN)).toBe("No drift, 3 resources as recorded\n");
});

test("drift is told one line a resource", () => {
  const text = driftText(
    [
      { kind: "gone", state },
      { kind: "changed", state, keys: ["cors", "versioning"] },
      { kind: "changed", state, keys: [] },
      { kind: "unreadable", state, diagnostic },
    ],
    3,
    PLAIN,
  );
  expect(text.split("\n")).toEqual([
    "- Files x:bucket  is gone",
    "~ Files x:bucket  was changed: cors, versioning",
    "~ Files x:bucket  has other outputs",
    "! Files x:bucket  Files cannot be\\u{a}read",
    "4 resources differ from what was recorded; scrim deploy brings back what was changed",
    "",
  ]);
});

test("programs are told the same", () => {
  expect(driftDocument({ kind: "changed", state, keys: ["cors"] })).toEqual({
    kind: "changed",
    urn: state.urn,
    type: "x:bucket",
    name: "Files",
    component: "Files",
    keys: ["cors"],
  });
});
