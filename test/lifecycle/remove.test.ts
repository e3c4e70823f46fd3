import { describe, expect, it } from "vitest";
import type { GoalSketch } from "../../src/testing/simulated-app.ts";
import type { Effect, Fault } from "../../src/testing/simulated-process.ts";
import { failuresOf, refusalOf, resultOf, StageFixture, stepsOf } from "./stage-fixture.ts";

const APP: readonly GoalSketch[] = [
  { type: "named", name: "Role" },
  { type: "table", name: "Notes" },
  { type: "named", name: "Fn", uses: ["Role", "Notes"] },
];

describe("remove", () => {
  it("deletes everything, users first, and leaves no record", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    const ending = await stage.remove();
    expect(stepsOf(ending)[0]).toBe("delete Fn");
    expect(await stage.listing()).toEqual([]);
    expect(stage.world.cloud.things).toEqual([]);
    expect(stage.world.cloud.violations).toEqual([]);
  });

  it("has nothing to do the second time", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    await stage.remove();
    expect(await stage.remove()).toMatchObject({ kind: "ended", result: null });
  });

  it("keeps data under retain, remembers it, and deletes it when asked to later", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP, { removal: "retain" });
    await stage.remove({ removal: "retain" });
    expect(await stage.listing()).toEqual(["Notes 1 retained"]);
    expect(await stage.remove({ removal: "retain" })).toMatchObject({ result: null });
    await stage.remove({ removal: "remove" });
    expect(stage.world.cloud.things).toEqual([]);
  });

  it("keeps everything under retain-all, and the next deploy takes it back", async () => {
    const stage = new StageFixture();
    const policy = { removal: "retain-all" } as const;
    await stage.deploy(APP, policy);
    const { mutations } = stage.world.cloud;
    await stage.remove(policy);
    expect(stage.world.cloud.mutations).toBe(mutations);
    expect((await stage.records()).every(({ status }) => status === "retained")).toBe(true);
    expect(stepsOf(await stage.deploy(APP, policy))).toEqual([
      "adopt Role",
      "adopt Notes",
      "adopt Fn",
    ]);
    expect(stage.world.cloud.mutations).toBe(mutations);
    expect(await stage.problems()).toEqual([]);
  });

  it("deletes resources that an earlier retain-all kept once removal is retain, but no data", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    await stage.remove({ removal: "retain-all" });
    await stage.remove({ removal: "retain" });
    expect(await stage.listing()).toEqual(["Notes 1 retained"]);
  });

  it.each([
    { by: "its state", deployed: true, config: false },
    { by: "the current config", deployed: false, config: true },
  ])("is refused when $by protects the stage", async ({ deployed, config }) => {
    const stage = new StageFixture();
    await stage.deploy(APP, { protect: deployed });
    const { mutations } = stage.world.cloud;
    const ending = await stage.remove({ protect: config });
    expect(refusalOf(ending)).toBe("STAGE_PROTECTED 5");
    expect(ending).toMatchObject({
      error: { message: expect.stringMatching(/^Cannot remove protected stage/) },
    });
    expect(stage.world.cloud.mutations).toBe(mutations);
  });

  it("takes what was deleted by hand for deleted", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    stage.world.cloud.vanish(stage.thing("Fn").id);
    await stage.remove();
    expect(stage.world.cloud.things).toEqual([]);
    expect(await stage.listing()).toEqual([]);
  });
});

describe("an app that defines nothing", () => {
  it("is refused where the stage has resources", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    expect(refusalOf(await stage.deploy([]))).toBe("EMPTY_APP 2");
    expect(stage.world.cloud.things.length).toBe(3);
  });

  it("is deployed when that is said to be meant", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    await stage.deploy([], { allowEmpty: true });
    expect(stage.world.cloud.things).toEqual([]);
  });

  it("is nothing to worry about in a new stage", async () => {
    const stage = new StageFixture();
    expect(await stage.deploy([])).toMatchObject({ kind: "ended" });
  });
});

describe("a removal that fails on one resource", () => {
  const failingOn =
    (kind: Effect["kind"], name: string, fault: Fault) =>
    (effect: Effect): Fault | null =>
      effect.kind === kind && effect.about.endsWith(`::${name}`) ? fault : null;

  it("leaves what that one uses, and with pastFailures tries that as well", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    const faultAt = failingOn("delete", "Fn", "error-before");
    const plain = await stage.remove({}, { faultAt });
    expect(failuresOf(plain)).toEqual(["CALL_FAILED"]);
    expect(resultOf(plain).skipped.length).toBe(2);
    // What is in use is the cloud's to refuse.
    const goingOn = await stage.remove({}, { faultAt, pastFailures: true });
    expect(failuresOf(goingOn)).toEqual(["CALL_FAILED", "CALL_FAILED", "CALL_FAILED"]);
    expect(resultOf(goingOn).skipped).toEqual([]);
    expect(stage.world.cloud.things.length).toBe(3);
    await stage.remove();
    expect(stage.world.cloud.things).toEqual([]);
  });

  it("with pastFailures goes on past what it cannot look into, and begins nothing for it", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP);
    await stage.remove({}, { faultAt: failingOn("delete", "Fn", "crash-before") });
    const faultAt = failingOn("read", "Fn", "error-before");
    expect(refusalOf(await stage.remove({}, { faultAt }))).toBe("RESOURCE_UNREADABLE 1");
    const goingOn = await stage.remove({}, { faultAt, pastFailures: true });
    expect(failuresOf(goingOn)[0]).toBe("RESOURCE_UNSETTLED");
    expect(resultOf(goingOn)).toMatchObject({ status: "failed", skipped: [] });
    const { openIntents } = await stage.world.snapshot();
    expect(openIntents.filter(({ name }) => name === "Fn").length).toBe(1);
    await stage.remove();
    expect(stage.world.cloud.things).toEqual([]);
    expect(await stage.listing()).toEqual([]);
  });

  it("never goes past a protection", async () => {
    const stage = new StageFixture();
    await stage.deploy(APP, { protect: true });
    const ending = await stage.remove({}, { pastFailures: true });
    expect(refusalOf(ending)).toBe("STAGE_PROTECTED 5");
  });
});
