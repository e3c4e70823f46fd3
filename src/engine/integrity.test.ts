import { describe, expect, it } from "vitest";
import type { ResourceState } from "../model/resource.ts";
import { emptySnapshot, type Intent, type Snapshot } from "../model/snapshot.ts";
import { urnOf } from "../model/urn.ts";
import { integrityProblems } from "./integrity.ts";

function state(name: string, over: Partial<ResourceState> = {}): ResourceState {
  return {
    ...{ urn: urnOf("t", name), type: "t", name, component: name, status: "live", generation: 1 },
    ...{ physicalName: name, id: name, inputs: {}, outputs: {}, dependsOn: [] },
    ...{ createdAt: "", updatedAt: "" },
    ...over,
  };
}

function intent(name: string, operation: Intent["operation"]): Intent {
  return {
    ...{ id: "1.1", operation, urn: urnOf("t", name), type: "t", name, component: name },
    ...{ generation: 1, physicalName: name, token: "", inputsHash: "", dependsOn: [], at: "" },
  };
}

function snapshot(
  resources: readonly ResourceState[],
  openIntents: readonly Intent[] = [],
): Snapshot {
  return { ...emptySnapshot("a", "s"), resources, openIntents };
}

describe("integrityProblems", () => {
  it("finds nothing in a sound snapshot, in the middle of a replacement too", () => {
    const resources = [
      state("A", { generation: 1, status: "deposed", id: "old" }),
      state("A", { generation: 2 }),
      state("B", { dependsOn: [urnOf("t", "A")] }),
    ];
    const open = [{ ...intent("C", "create"), id: "1.2" }, intent("B", "update")];
    expect(integrityProblems(snapshot(resources, open))).toEqual([]);
  });

  it.each([
    ["two records in use", [state("A"), state("A", { generation: 2, id: "b" })], []],
    ["two records of one thing", [state("A"), state("B", { id: "A" })], []],
    ["two records of a generation", [state("A"), state("A", { status: "deposed", id: "b" })], []],
    ["a missing dependency", [state("A", { dependsOn: [urnOf("t", "B")] })], []],
    ["a create of what is recorded", [state("A")], [intent("A", "create")]],
    ["a delete of what is not recorded", [], [intent("A", "delete")]],
  ])("finds %s", (_, resources, open) => {
    expect(integrityProblems(snapshot(resources, open))).not.toEqual([]);
  });
});
