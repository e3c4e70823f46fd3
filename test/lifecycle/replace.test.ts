import { describe, expect, it } from "vitest";
import type { GoalSketch } from "../../src/testing/simulated-app.ts";
import { resultOf, StageFixture, stepsOf } from "./stage-fixture.ts";

const app = (kind: string): readonly GoalSketch[] => [
  { type: "named", name: "Role", kind },
  { type: "named", name: "Fn", uses: ["Role"] },
];

describe("replace", () => {
  it("makes the new one first, moves its users, then deletes the old one", async () => {
    const stage = new StageFixture();
    await stage.deploy(app("a"));
    const old = stage.thing("Role").id;
    const ending = await stage.deploy(app("b"));
    expect(stepsOf(ending)).toEqual(["create Role", "update Fn", "delete Role"]);
    expect(resultOf(ending).counts).toMatchObject({ create: 0, replace: 1, update: 1, delete: 0 });
    expect(stage.thing("Role").id).not.toBe(old);
    expect(stage.thing("Fn").spec["uses"]).toEqual([stage.thing("Role").id]);
    expect(await stage.listing()).toEqual(["Fn 1 live", "Role 2 live"]);
    expect(await stage.problems()).toEqual([]);
  });

  it("keeps the old one while a user could not be moved, and deletes it next time", async () => {
    const stage = new StageFixture();
    await stage.deploy(app("a"));
    const failing = await stage.deploy(
      app("b"),
      {},
      {
        limits: { attemptsMax: 1 },
        faultAt: ({ kind }) => (kind === "update" ? "error-before" : null),
      },
    );
    expect(resultOf(failing).status).toBe("failed");
    expect(await stage.listing()).toEqual(["Fn 1 live", "Role 1 deposed", "Role 2 live"]);
    const ending = await stage.deploy(app("b"));
    expect(stepsOf(ending)).toEqual(["same Role", "update Fn", "delete Role"]);
    expect(resultOf(ending).counts).toMatchObject({ delete: 1 });
    expect(await stage.problems()).toEqual([]);
  });

  it("replaces what holds a secret that was lost with the answer to its create", async () => {
    const stage = new StageFixture();
    const key: readonly GoalSketch[] = [{ type: "key", name: "Key" }];
    const lost = await stage.deploy(
      key,
      {},
      {
        faultAt: ({ kind }) => (kind === "create" ? "lost-response" : null),
      },
    );
    expect(resultOf(lost).failed[0]?.diagnostic.code).toBe("SECRET_ANSWER_LOST");
    expect(await stage.listing()).toEqual(["Key 1 tainted"]);
    await stage.deploy(key);
    expect(await stage.listing()).toEqual(["Key 2 live"]);
    expect((await stage.records())[0]?.outputs["secret"]).toMatch(/^once-/);
    expect(await stage.problems()).toEqual([]);
  });
});
