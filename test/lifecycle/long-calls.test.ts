import { describe, expect, it } from "vitest";
import type { Handlers, Retry } from "../../src/engine/handler.ts";
import type { GoalSketch } from "../../src/testing/simulated-app.ts";
import { failuresOf, resultOf, StageFixture } from "./stage-fixture.ts";

const APP: readonly GoalSketch[] = [{ type: "put", name: "Slow" }];

/** Handlers that make the thing and then ask to be called again, so many times. */
const asking = (times: number, more: Partial<Retry>) => {
  let asked = 0;
  return (handlers: Handlers): Handlers =>
    new Map(
      [...handlers].map(([type, handler]) => [
        type,
        {
          ...handler,
          create: async (context, inputs) => {
            const answer = await handler.create(context, inputs);
            asked += 1;
            if (asked > times) return answer;
            return { kind: "retry", reason: "not yet", afterMs: 1_000, ...more };
          },
        },
      ]),
    );
};

describe("a call that asks to be made again", () => {
  it("is made as often as it takes while the time that it named lasts", async () => {
    const stage = new StageFixture();
    const tamper = { handlers: asking(50, { lastsMs: 120_000, partly: true }) };
    expect(resultOf(await stage.deploy(APP, {}, { tamper })).status).toBe("done");
    expect(await stage.problems()).toEqual([]);
  });

  it("is given up when that time is over", async () => {
    const stage = new StageFixture();
    const tamper = { handlers: asking(50, { lastsMs: 20_000, partly: true }) };
    expect(failuresOf(await stage.deploy(APP, {}, { tamper }))).toEqual(["CALL_FAILED"]);
  });

  it("and has changed something by then is not forgotten when it is given up", async () => {
    const stage = new StageFixture();
    const tamper = { handlers: asking(50, { partly: true }) };
    expect(failuresOf(await stage.deploy(APP, {}, { tamper }))).toEqual(["CALL_FAILED"]);
    expect((await stage.world.snapshot()).openIntents).toHaveLength(1);
    await stage.remove();
    expect(await stage.listing()).toEqual([]);
    expect(await stage.problems()).toEqual([]);
  });
});

describe("a part of another resource", () => {
  it("is looked for with the outputs of what it belongs to, in a deploy and after a crash", async () => {
    const seen: string[] = [];
    const noting = (handlers: Handlers): Handlers =>
      new Map(
        [...handlers].map(([type, handler]) => [
          type,
          {
            ...handler,
            read: (context, id) => {
              if (context.urn.endsWith("::Part")) {
                seen.push(...(context.dependencies ?? []).map(({ urn }) => urn));
              }
              return handler.read(context, id);
            },
          },
        ]),
      );
    const stage = new StageFixture();
    const app: readonly GoalSketch[] = [
      { type: "named", name: "Whole" },
      { type: "put", name: "Part", uses: ["Whole"] },
    ];
    const faultAt = ({ kind, about }: { kind: string; about: string }) =>
      kind === "create" && about.endsWith("::Part") ? ("error-after-apply" as const) : null;
    await stage.deploy(app, {}, { faultAt, limits: { attemptsMax: 1 } });
    seen.length = 0;
    await stage.deploy(app, {}, { tamper: { handlers: noting } });
    expect(seen[0]).toBe("sim:named::Whole");
    expect(await stage.problems()).toEqual([]);
  });
});
