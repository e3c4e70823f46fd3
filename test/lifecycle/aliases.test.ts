import { describe, expect, it } from "vitest";
import { buildGraph } from "../../src/engine/graph/graph.ts";
import { createPlan } from "../../src/engine/plan/create-plan.ts";
import { type GoalSketch, simulatedGoals, simulatedUrn } from "../../src/testing/simulated-app.ts";
import { DEPLOY } from "../../src/testing/simulated-deployer.ts";
import { simulatedHandlers } from "../../src/testing/simulated-handlers.ts";
import { simulatedSeal } from "../../src/testing/simulated-world.ts";
import { resultOf, StageFixture, stepsOf } from "./stage-fixture.ts";

const OLD: readonly GoalSketch[] = [
  { type: "table", name: "Old", component: "Old" },
  { type: "named", name: "Fn", uses: ["Old"] },
];
const NEW: readonly GoalSketch[] = [
  { type: "table", name: "New", aliases: ["Old"] },
  { type: "named", name: "Fn", uses: ["New"] },
];

describe("aliases", () => {
  it("move the record and leave the thing and its users alone", async () => {
    const stage = new StageFixture();
    await stage.deploy(OLD);
    const { mutations } = stage.world.cloud;
    const { id } = stage.thing("Old");
    const ending = await stage.deploy(NEW);
    expect(stepsOf(ending)).toEqual(["rename New", "same New", "same Fn"]);
    expect(stage.world.cloud.mutations).toBe(mutations);
    const [fn, renamed] = await stage.records();
    expect(renamed).toMatchObject({ name: "New", id, generation: 1 });
    expect(fn?.dependsOn).toEqual([renamed?.urn]);
  });

  it("are needed only once: later deploys find the new name", async () => {
    const stage = new StageFixture();
    await stage.deploy(OLD);
    await stage.deploy(NEW);
    expect(await stage.deploy(NEW)).toMatchObject({ result: null });
  });

  it("rename and update in one deploy", async () => {
    const stage = new StageFixture();
    await stage.deploy(OLD);
    const ending = await stage.deploy([
      { type: "table", name: "New", aliases: ["Old"], size: 2 },
      { type: "named", name: "Fn", uses: ["New"] },
    ]);
    expect(stepsOf(ending)).toEqual(["rename New", "update New", "same Fn"]);
    expect(stage.thing("Old").spec["size"]).toBe(2);
  });

  it("rename and replace in one deploy", async () => {
    const stage = new StageFixture();
    await stage.deploy(OLD);
    const ending = await stage.deploy([
      { type: "table", name: "New", aliases: ["Old"], kind: "b" },
      { type: "named", name: "Fn", uses: ["New"] },
    ]);
    expect(stepsOf(ending)).toEqual(["rename New", "create New", "update Fn", "delete New"]);
    expect(resultOf(ending).status).toBe("done");
    expect(await stage.listing()).toEqual(["Fn 1 live", "New 2 live"]);
    expect(await stage.problems()).toEqual([]);
  });

  it("let a new resource of the old name be made beside the renamed one", async () => {
    const stage = new StageFixture();
    await stage.deploy(OLD);
    await stage.deploy(NEW);
    await stage.deploy([...NEW, { type: "table", name: "Old" }]);
    const ids = stage.world.cloud.things.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(stage.world.cloud.violations).toEqual([]);
    expect(await stage.listing()).toEqual(["Fn 1 live", "New 1 live", "Old 2 live"]);
  });

  it("do nothing where the new name has a resource of its own", async () => {
    const stage = new StageFixture();
    await stage.deploy([...OLD, { type: "table", name: "New" }]);
    const ending = await stage.deploy(NEW);
    expect(stepsOf(ending)).toEqual(["same New", "update Fn", "delete Old"]);
  });

  it("take over retained data", async () => {
    const stage = new StageFixture();
    const policy = { removal: "retain" } as const;
    await stage.deploy(OLD, policy);
    await stage.remove(policy);
    expect(stepsOf(await stage.deploy(NEW, policy))).toEqual([
      "rename New",
      "adopt New",
      "create Fn",
    ]);
    expect(stage.world.cloud.things.length).toBe(2);
  });

  it("wait for an old generation that has the new name", async () => {
    const stage = new StageFixture();
    await stage.deploy([
      { type: "put", name: "New" },
      { type: "named", name: "Old" },
    ]);
    const { serial, ...rest } = await stage.world.snapshot();
    const resources = rest.resources.map((state) =>
      state.name === "New" ? { ...state, status: "deposed" as const } : state,
    );
    const goals = simulatedGoals([{ type: "put", name: "New", aliases: ["Older"] }]);
    const older = resources.map((state) => ({ ...state, urn: simulatedUrn("put", "Older") }));
    const request = {
      graph: buildGraph(goals),
      snapshot: {
        ...rest,
        serial,
        resources: [...resources, { ...older[0]!, status: "live" as const }],
      },
      handlers: simulatedHandlers(stage.world.cloud, stage.world.start()),
      policy: DEPLOY,
      seal: simulatedSeal,
    };
    expect(() => createPlan(request)).toThrow("sim:put::New cannot take over");
  });

  it("are refused when two resources claim the same one, or one of another type", () => {
    const twice = simulatedGoals([
      { type: "put", name: "A", aliases: ["Old"] },
      { type: "put", name: "B", aliases: ["Old"] },
    ]);
    expect(() => buildGraph(twice)).toThrow("sim:put::B cannot take over sim:put::Old");
  });
});
