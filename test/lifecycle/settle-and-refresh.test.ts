import { describe, expect, it } from "vitest";
import { type Drift, refresh } from "../../src/engine/refresh.ts";
import { Sensitive } from "../../src/model/value.ts";
import { type GoalSketch, SENTINEL } from "../../src/testing/simulated-app.ts";
import { simulatedHandlers } from "../../src/testing/simulated-handlers.ts";
import type { Effect, Fault } from "../../src/testing/simulated-process.ts";
import { simulatedSeal } from "../../src/testing/simulated-world.ts";
import { resultOf, StageFixture, stepsOf } from "./stage-fixture.ts";

const crashAt =
  (kind: Effect["kind"], fault: Fault) =>
  (effect: Effect): Fault | null =>
    effect.kind === kind ? fault : null;

const API: readonly GoalSketch[] = [{ type: "listed", name: "Api" }];

describe("settling", () => {
  it("finds what an interrupted create has made and brings it up to date, not a second one", async () => {
    const stage = new StageFixture();
    await stage.deploy(API, {}, { faultAt: crashAt("create", "crash-after-apply") });
    const made = stage.thing("Api").id;
    const ending = await stage.deploy(API);
    expect(stepsOf(ending)).toEqual(["update Api"]);
    expect(stage.thing("Api").id).toBe(made);
    expect(await stage.problems()).toEqual([]);
  });

  it("makes anew, under the same generation, what an interrupted create has not made", async () => {
    const stage = new StageFixture();
    await stage.deploy(API, {}, { faultAt: crashAt("create", "crash-before") });
    expect(stepsOf(await stage.deploy(API))).toEqual(["create Api"]);
    expect(await stage.listing()).toEqual(["Api 1 live"]);
  });

  it("replaces what an interrupted create has made with inputs that the config asks no more for", async () => {
    const stage = new StageFixture();
    await stage.deploy(API, {}, { faultAt: crashAt("create", "crash-after-apply") });
    await stage.deploy([{ type: "listed", name: "Api", kind: "b" }]);
    expect(stage.thing("Api").spec["kind"]).toBe("b");
    expect(stage.world.cloud.violations).toEqual([]);
    expect(await stage.problems()).toEqual([]);
  });

  it("updates once more after an interrupted update, also when the config went back", async () => {
    const stage = new StageFixture();
    await stage.deploy(API);
    const bigger: readonly GoalSketch[] = [{ type: "listed", name: "Api", size: 2 }];
    await stage.deploy(bigger, {}, { faultAt: crashAt("update", "crash-after-apply") });
    expect(stepsOf(await stage.deploy(API))).toEqual(["update Api"]);
    expect(stage.thing("Api").spec["size"]).toBe(1);
    expect(await stage.problems()).toEqual([]);
  });

  it("deletes again what an interrupted delete has left", async () => {
    const stage = new StageFixture();
    await stage.deploy(API);
    const { world } = stage;
    await stage.deploy([], { allowEmpty: true }, { faultAt: crashAt("delete", "crash-before") });
    expect(world.cloud.things).toHaveLength(1);
    await stage.remove();
    expect(world.cloud.things).toEqual([]);
    expect(await stage.listing()).toEqual([]);
  });

  it("says what it cannot read, changes nothing, and is no obstacle to the next try", async () => {
    const stage = new StageFixture();
    await stage.deploy(API, {}, { faultAt: crashAt("create", "crash-after-apply") });
    const blind = await stage.deploy(API, {}, { faultAt: crashAt("read", "error-before") });
    expect(blind).toMatchObject({ kind: "error" });
    if (blind.kind === "error")
      expect(blind.error.message).toBe("sim:listed::Api could not be read");
    expect((await stage.world.snapshot()).openIntents).toHaveLength(1);
    await stage.deploy(API);
    expect(await stage.problems()).toEqual([]);
  });
});

async function refreshed(stage: StageFixture): Promise<readonly Drift[]> {
  const process = stage.world.start();
  const log = stage.world.stageLog(process);
  const { head } = await log.read();
  const signal = new AbortController().signal;
  const options = {
    owner: process.owner,
    command: "refresh",
    version: "0",
    lockTimeoutMs: 0,
    signal,
  };
  const epoch = await log.begin(head, options);
  if (epoch === "moved") throw new Error("moved");
  const { clock, random } = process;
  const handlers = simulatedHandlers(stage.world.cloud, process);
  const emit = (): void => {};
  const drift = await refresh({
    epoch,
    handlers,
    seal: simulatedSeal,
    clock,
    random,
    emit,
    signal,
  });
  await epoch.end("done");
  process.kill();
  return drift;
}

describe("refresh", () => {
  const app: readonly GoalSketch[] = [
    { type: "named", name: "Fn", also: { secret: new Sensitive(SENTINEL) } },
    { type: "put", name: "Settings" },
  ];

  it("finds nothing where nothing was changed by hand", async () => {
    const stage = new StageFixture();
    await stage.deploy(app);
    expect(await refreshed(stage)).toEqual([]);
    expect(await stage.deploy(app)).toMatchObject({ result: null });
  });

  it("finds what was changed by hand, and the next deploy changes it back", async () => {
    const stage = new StageFixture();
    await stage.deploy(app);
    const thing = stage.thing("Settings");
    stage.world.cloud.place({ ...thing, spec: { ...thing.spec, size: 99 } });
    expect(await refreshed(stage)).toMatchObject([{ kind: "changed", keys: ["size"] }]);
    const ending = await stage.deploy(app);
    expect(resultOf(ending).counts).toMatchObject({ update: 1, same: 1 });
    expect(stage.thing("Settings").spec["size"]).toBe(1);
    expect(await stage.problems()).toEqual([]);
  });

  it("finds what was deleted by hand, and the next deploy makes it anew", async () => {
    const stage = new StageFixture();
    await stage.deploy(app);
    stage.world.cloud.vanish(stage.thing("Fn").id);
    expect(await refreshed(stage)).toMatchObject([{ kind: "gone", state: { name: "Fn" } }]);
    expect(stepsOf(await stage.deploy(app))).toContain("create Fn");
    expect(await stage.problems()).toEqual([]);
  });

  it("leaves alone what belongs to someone else by now, and says so", async () => {
    const stage = new StageFixture();
    await stage.deploy(app);
    const thing = stage.thing("Fn");
    stage.world.cloud.place({ ...thing, tags: { ...thing.tags, "scrim:app": "blog" } });
    expect(await refreshed(stage)).toMatchObject([{ kind: "foreign", state: { name: "Fn" } }]);
  });
});
