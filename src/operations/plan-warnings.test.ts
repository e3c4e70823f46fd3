import { describe, expect, it } from "vitest";
import type { Change, Plan, Step } from "../model/plan.ts";
import type { ResourceGoal, ResourceState } from "../model/resource.ts";
import { urnOf } from "../model/urn.ts";
import { withAccessWarnings } from "./plan-warnings.ts";

const change = (before: Change["before"], after: Change["after"], path = "auth"): Change => ({
  ...{ path, before, after, forcesReplace: false },
});

function stepOf(type: string, name: string, changes: readonly Change[]): Step {
  const urn = urnOf(type, name);
  const base = { urn, type, name, component: "Api", inputs: {}, dependsOn: [] };
  const goal: ResourceGoal = { ...base, aliases: [] };
  const prior: ResourceState = {
    ...{ ...base, status: "live", generation: 1, physicalName: name, id: name, outputs: {} },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  };
  const step = { id: `update ${urn} 1`, urn, generation: 1, physicalName: name, after: [] };
  return { ...step, action: "update", goal, prior, changes };
}

const codes = (steps: readonly Step[]): readonly string[] => {
  const plan: Plan = { serial: 1, steps, warnings: [] };
  return withAccessWarnings(plan).warnings.map(({ code, message }) => `${code} ${message}`);
};

describe("a plan", () => {
  it("warns of each protected route that becomes public, by its name", () => {
    const steps = [
      stepOf("one:route", "Api/GET /me", [change("Auth", undefined)]),
      stepOf("two:route", "Api/GET /you", [change("Auth", null), change(1, 2, "other")]),
    ];
    expect(codes(steps)).toEqual([
      expect.stringContaining("ROUTE_NOW_PUBLIC Route Api/GET /me becomes PUBLIC"),
      expect.stringContaining("ROUTE_NOW_PUBLIC Route Api/GET /you becomes PUBLIC"),
    ]);
  });

  it("is silent about what becomes protected, is protected by another, or is no route", () => {
    const steps = [
      stepOf("one:route", "Api/GET /a", [change(undefined, "Auth")]),
      stepOf("one:route", "Api/GET /b", [change("Auth", "Other")]),
      stepOf("one:route", "Api/GET /c", [change("Auth", undefined, "function")]),
      stepOf("one:function", "Api/GET /d", [change("Auth", undefined)]),
    ];
    expect(codes(steps)).toEqual([]);
  });
});
