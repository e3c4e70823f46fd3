import { describe, expect, it } from "vitest";
import type { GoalSketch } from "../../src/testing/simulated-app.ts";
import { planOf, refusalOf, StageFixture, stepsOf } from "./stage-fixture.ts";

const ROLE: GoalSketch = { type: "named", name: "Role" };
const table = (kind = "a"): GoalSketch => ({ type: "table", name: "Notes", kind });
const RETAIN = { removal: "retain" } as const;

describe("guarded data", () => {
  it("is detached, not deleted, when the config drops it under retain", async () => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table()], RETAIN);
    const ending = await stage.deploy([ROLE], RETAIN);
    expect(stepsOf(ending)).toEqual(["same Role", "detach Notes"]);
    expect(await stage.listing()).toEqual(["Role 1 live", "Notes 1 retained"]);
    expect(stage.thing("Notes").goneAtMs).toBeNull();
  });

  it("stays retained through later deploys without a word", async () => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table()], RETAIN);
    await stage.deploy([ROLE], RETAIN);
    expect(stepsOf(await stage.deploy([ROLE], RETAIN))).toEqual(["same Role"]);
  });

  it("is adopted with its contents when the config wants it again", async () => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table()], RETAIN);
    stage.world.cloud.place({ ...stage.thing("Notes"), contents: ["a note"] });
    await stage.deploy([ROLE], RETAIN);
    const ending = await stage.deploy([ROLE, { ...table(), size: 2 }], RETAIN);
    expect(stepsOf(ending)).toContain("adopt Notes");
    expect(stage.thing("Notes")).toMatchObject({ contents: ["a note"], spec: { size: 2 } });
    expect(await stage.listing()).toContain("Notes 1 live");
    expect(await stage.problems()).toEqual([]);
  });

  it("is made anew when it was deleted by hand while it was retained", async () => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table()], RETAIN);
    await stage.deploy([ROLE], RETAIN);
    stage.world.cloud.vanish(stage.thing("Notes").id);
    const first = await stage.deploy([ROLE, table()], RETAIN);
    expect(first).toMatchObject({
      result: { failed: [{ diagnostic: { code: "RESOURCE_GONE" } }] },
    });
    await stage.deploy([ROLE, table()], RETAIN);
    expect(await stage.problems()).toEqual([]);
  });

  it.each([
    { why: "removal is retain", policy: RETAIN },
    { why: "removal is retain-all", policy: { removal: "retain-all" } as const },
    { why: "the stage is protected", policy: { protect: true } },
  ])("is not replaced when $why, and nothing else is touched", async ({ policy }) => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table("a")], policy);
    const { mutations } = stage.world.cloud;
    const ending = await stage.deploy([{ ...ROLE, size: 2 }, table("b")], policy);
    expect(refusalOf(ending)).toBe("DESTROY_REFUSED 5");
    expect(ending).toMatchObject({ error: { message: expect.stringContaining("Notes") } });
    expect(stage.world.cloud.mutations).toBe(mutations);
  });

  it("is still guarded by the deploy that lifts the protection", async () => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table()], { protect: true });
    const ending = await stage.deploy([ROLE], { protect: false });
    expect(stepsOf(ending)).toContain("detach Notes");
  });

  it("names every component whose data is at stake", async () => {
    const stage = new StageFixture();
    const more = (kind: string): GoalSketch => ({ type: "table", name: "Users", kind });
    await stage.deploy([table("a"), more("a")], RETAIN);
    const ending = await stage.deploy([table("b"), more("b")], RETAIN);
    expect(refusalOf(ending)).toBe("DESTROY_REFUSED DESTROY_REFUSED 5");
  });

  it("is replaced when the component is named as allowed to be destroyed", async () => {
    const stage = new StageFixture();
    await stage.deploy([table("a")], RETAIN);
    const allowDestroy = new Set(["Notes"]);
    const ending = await stage.deploy([table("b")], { ...RETAIN, allowDestroy });
    expect(stepsOf(ending)).toEqual(["create Notes", "delete Notes"]);
    expect(planOf(ending).warnings.map(({ code }) => code)).toEqual(["DATA_DELETED"]);
    expect(await stage.problems()).toEqual([]);
  });

  it("finishes an allowed replacement that was interrupted, without being allowed again", async () => {
    const stage = new StageFixture();
    await stage.deploy([table("a")], RETAIN);
    const allowDestroy = new Set(["Notes"]);
    await stage.deploy(
      [table("b")],
      { ...RETAIN, allowDestroy },
      {
        faultAt: ({ kind }) => (kind === "delete" ? "crash-before" : null),
      },
    );
    await stage.deploy([table("b")], RETAIN);
    expect(await stage.listing()).toEqual(["Notes 2 live"]);
    expect(await stage.problems()).toEqual([]);
  });

  it("keeps what it was made with, too", async () => {
    const stage = new StageFixture();
    await stage.deploy(
      [ROLE, { ...table(), uses: ["Role"] }, { type: "put", name: "Other" }],
      RETAIN,
    );
    const ending = await stage.remove(RETAIN);
    expect(stepsOf(ending)).toEqual(["detach Role", "detach Notes", "delete Other"]);
    expect(await stage.problems()).toEqual([]);
  });

  it("goes with everything else when removal is remove, with a warning", async () => {
    const stage = new StageFixture();
    await stage.deploy([ROLE, table()]);
    const ending = await stage.deploy([ROLE]);
    expect(stepsOf(ending)).toEqual(["same Role", "delete Notes"]);
    expect(planOf(ending).warnings.map(({ code }) => code)).toEqual(["DATA_DELETED"]);
  });

  it("detaches everything that is dropped under retain-all", async () => {
    const stage = new StageFixture();
    const policy = { removal: "retain-all" } as const;
    await stage.deploy([ROLE, { type: "put", name: "Other" }], policy);
    expect(stepsOf(await stage.deploy([ROLE], policy))).toEqual(["same Role", "detach Other"]);
  });
});
