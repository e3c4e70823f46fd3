import { describe, expect, it } from "vitest";
import type { GoalSketch } from "../../src/testing/simulated-app.ts";
import { planOf, resultOf, StageFixture, stepsOf } from "./stage-fixture.ts";

const APP: readonly GoalSketch[] = [
  { type: "named", name: "Role" },
  { type: "put", name: "Settings", uses: ["Role"] },
  { type: "listed", name: "Api", uses: ["Role", "Settings"] },
];

describe("deploy", () => {
  it("makes everything that the config wants, dependencies first", async () => {
    const stage = new StageFixture();
    const ending = await stage.deploy(APP);
    expect(stepsOf(ending)).toEqual(["create Role", "create Settings", "create Api"]);
    expect(resultOf(ending).counts).toMatchObject({ create: 3, same: 0 });
    expect(await stage.problems()).toEqual([]);
  });

  it("does nothing at all when nothing has changed", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    const { serial } = await stage.world.snapshot();
    const { mutations } = stage.world.cloud;
    const ending = await stage.deploy(APP);
    expect(stepsOf(ending)).toEqual(["same Role", "same Settings", "same Api"]);
    expect(ending).toMatchObject({ result: null });
    expect((await stage.world.snapshot()).serial).toBe(serial);
    expect(stage.world.cloud.mutations).toBe(mutations);
  });

  it("updates in place what changed, and tells which property", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    const ending = await stage.deploy([{ type: "named", name: "Role", size: 2 }, ...APP.slice(1)]);
    const update = planOf(ending).steps.find((step) => step.action === "update");
    expect(update).toMatchObject({
      changes: [{ path: "size", before: 1, after: 2, forcesReplace: false }],
    });
    expect(stepsOf(ending)).toEqual(["update Role", "same Settings", "same Api"]);
    expect(stage.thing("Role").spec["size"]).toBe(2);
  });

  it("leaves a dependant alone whose value turns out as it was", async () => {
    const stage = new StageFixture();
    const app = (size: number): readonly GoalSketch[] => [
      { type: "put", name: "Settings", size },
      { type: "token", name: "Front", uses: ["Settings"] },
      { type: "named", name: "Fn", uses: ["Front"] },
    ];
    await stage.deploy(app(1));
    const before = stage.thing("Front");
    const ending = await stage.deploy([
      { type: "put", name: "Settings", size: 1 },
      { type: "token", name: "Front", size: 2, uses: ["Settings"] },
      { type: "named", name: "Fn", uses: ["Front"] },
    ]);
    expect(stepsOf(ending)).toEqual(["same Settings", "update Front", "update Fn"]);
    expect(resultOf(ending).counts).toMatchObject({ update: 1, same: 2 });
    expect(stage.thing("Front").id).toBe(before.id);
    expect(await stage.problems()).toEqual([]);
  });

  it("records a dependency that was added although nothing else changed", async () => {
    const stage = new StageFixture();
    const plain: GoalSketch = { type: "named", name: "Fn" };
    await stage.deploy([{ type: "named", name: "Role" }, plain]);
    const [role] = await stage.records().then((all) => all.filter(({ name }) => name === "Role"));
    if (role === undefined) throw new Error("no role");
    const { mutations } = stage.world.cloud;
    const ending = await stage.deploy([
      { type: "named", name: "Role" },
      { ...plain, dependsOn: [role.urn] },
    ]);
    expect(resultOf(ending).counts).toMatchObject({ update: 0, same: 2 });
    expect(stage.world.cloud.mutations).toBe(mutations);
    const fn = (await stage.records()).find(({ name }) => name === "Fn");
    expect(fn?.dependsOn).toEqual([role.urn]);
  });

  it("deletes what the config dropped, users first", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    const ending = await stage.deploy(APP.slice(0, 1));
    expect(stepsOf(ending)).toEqual(["same Role", "delete Api", "delete Settings"]);
    expect(stage.world.cloud.violations).toEqual([]);
    expect(await stage.listing()).toEqual(["Role 1 live"]);
  });
});
