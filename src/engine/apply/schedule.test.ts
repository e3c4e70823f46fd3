import { describe, expect, it } from "vitest";
import type { Step } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import { urnOf } from "../../model/urn.ts";
import { runSteps, type Schedule } from "./schedule.ts";

function step(name: string, after: readonly string[] = []): Step {
  const urn = urnOf("t", name);
  const prior: ResourceState = {
    ...{ urn, type: "t", name, component: name, status: "live", generation: 1 },
    ...{ physicalName: name, id: name, inputs: {}, outputs: {}, dependsOn: [] },
    ...{ createdAt: "", updatedAt: "" },
  };
  const base = { id: name, urn, generation: 1, physicalName: name, after };
  return { ...base, action: "forget", prior, reason: "test" };
}

function schedule(over: Partial<Schedule> = {}): Schedule {
  return {
    concurrency: 2,
    mayStart: () => true,
    run: async () => true,
    skip: () => {},
    ...over,
  };
}

describe("runSteps", () => {
  it("never has more in flight than it may, and keeps the order of the plan among equals", async () => {
    let running = 0;
    let most = 0;
    const started: string[] = [];
    const steps = ["a", "b", "c", "d", "e"].map((name) => step(name));
    await runSteps(
      steps,
      schedule({
        run: async ({ id }) => {
          started.push(id);
          running += 1;
          most = Math.max(most, running);
          await new Promise((done) => setImmediate(done));
          running -= 1;
          return true;
        },
      }),
    );
    expect(started).toEqual(["a", "b", "c", "d", "e"]);
    expect(most).toBe(2);
  });

  it("skips everything behind a failure once, and goes on with the rest", async () => {
    const skipped: string[] = [];
    const done: string[] = [];
    const steps = [step("a"), step("b", ["a"]), step("c", ["a", "b"]), step("d"), step("e", ["d"])];
    const left = await runSteps(
      steps,
      schedule({
        run: async ({ id }) => (id === "a" ? false : done.push(id) > 0),
        skip: ({ id }, because) => skipped.push(`${id} ${because}`),
      }),
    );
    expect(done).toEqual(["d", "e"]);
    expect(skipped.sort()).toEqual(["b t::a", "c t::a"]);
    expect(left).toEqual([]);
  });

  it("starts what waits for a failure too, when it goes on past failures, and in order", async () => {
    const started: string[] = [];
    const left = await runSteps(
      [step("a"), step("b", ["a"]), step("c", ["b"])],
      schedule({
        pastFailures: true,
        run: async ({ id }) => {
          started.push(id);
          return id === "c";
        },
        skip: ({ id }) => started.push(`skipped ${id}`),
      }),
    );
    expect(started).toEqual(["a", "b", "c"]);
    expect(left).toEqual([]);
  });

  it("tells what it did not start once it may start nothing more", async () => {
    let started = 0;
    const left = await runSteps(
      [step("a"), step("b"), step("c", ["a"])],
      schedule({
        concurrency: 1,
        mayStart: () => started === 0,
        run: async () => {
          started += 1;
          return true;
        },
      }),
    );
    expect(left.map(({ id }) => id)).toEqual(["b", "c"]);
  });

  it("starts nothing after an error and throws it once what is in flight has ended", async () => {
    let ended = false;
    const run = async ({ id }: Step): Promise<boolean> => {
      if (id === "a") throw new Error("broken");
      await new Promise((done) => setImmediate(done));
      ended = true;
      return true;
    };
    const running = runSteps([step("a"), step("b"), step("c")], schedule({ run }));
    await expect(running).rejects.toThrow("broken");
    expect(ended).toBe(true);
  });

  it("refuses a plan in which a step waits for one that is not there", () => {
    expect(() => runSteps([step("a", ["gone"])], schedule())).toThrow("not in the plan");
  });
});
