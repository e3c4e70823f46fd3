import { describe, expect, it } from "vitest";
import { Computed, Ref, Sensitive } from "../../src/model/value.ts";
import { type GoalSketch, SENTINEL, simulatedUrn } from "../../src/testing/simulated-app.ts";
import type { Effect, Fault } from "../../src/testing/simulated-process.ts";
import { failuresOf, planOf, refusalOf, resultOf, StageFixture } from "./stage-fixture.ts";

const APP: readonly GoalSketch[] = [
  { type: "named", name: "Role" },
  { type: "put", name: "Bad" },
  { type: "named", name: "User", uses: ["Bad"] },
  { type: "named", name: "Last", uses: ["User"] },
  { type: "named", name: "Other", uses: ["Role"] },
];

const failing =
  (name: string) =>
  ({ kind, about }: Effect): Fault | null =>
    kind === "create" && about.endsWith(`::${name}`) ? "error-before" : null;

describe("a step that fails", () => {
  it("stops what depends on it and nothing else, and tells what was left out and why", async () => {
    const stage = new StageFixture();
    const ending = await stage.deploy(APP, {}, { faultAt: failing("Bad") });
    const result = resultOf(ending);
    expect(result.status).toBe("failed");
    expect(failuresOf(ending)).toEqual(["CALL_FAILED"]);
    expect(result.skipped.map(({ step, because }) => [step.urn, because])).toEqual([
      ["sim:named::User", "sim:put::Bad"],
      ["sim:named::Last", "sim:put::Bad"],
    ]);
    expect(result.counts.create).toBe(2);
    expect(await stage.listing()).toEqual(["Other 1 live", "Role 1 live"]);
  });

  it("is tried again a bounded number of times", async () => {
    const stage = new StageFixture();
    let tries = 0;
    const faultAt = (effect: Effect): Fault | null => {
      if (effect.kind === "create") tries += 1;
      return failing("Bad")(effect);
    };
    await stage.deploy([{ type: "put", name: "Bad" }], {}, { faultAt, limits: { attemptsMax: 4 } });
    expect(tries).toBe(4);
    expect((await stage.world.snapshot()).openIntents).toHaveLength(1);
    await stage.deploy([{ type: "put", name: "Bad" }]);
    expect(await stage.problems()).toEqual([]);
  });

  it("is overcome within the same deploy when the trouble passes", async () => {
    const stage = new StageFixture();
    let troubles = 0;
    const faultAt = ({ kind }: Effect): Fault | null => {
      if (kind !== "create" || troubles >= 3) return null;
      troubles += 1;
      return (["lost-response", "error-after-apply", "throttle"] as const)[troubles - 1] ?? null;
    };
    const ending = await stage.deploy(APP, {}, { faultAt });
    expect(resultOf(ending).status).toBe("done");
    expect(await stage.problems()).toEqual([]);
  });

  it("never tells a secret that the refusal of the cloud quotes", async () => {
    const stage = new StageFixture();
    const secret = new Sensitive(`${SENTINEL} "quoted"`);
    const ending = await stage.deploy(
      [{ type: "put", name: "Bad", also: { secret } }],
      {},
      {
        limits: { attemptsMax: 1 },
        tamper: {
          handlers: (handlers) =>
            new Map(
              [...handlers].map(([type, handler]) => [
                type,
                {
                  ...handler,
                  create: async (_, inputs) => {
                    throw new Error(`bad request: ${JSON.stringify(inputs)}`);
                  },
                },
              ]),
            ),
        },
      },
    );
    const [failure] = resultOf(ending).failed;
    expect(failure?.diagnostic.why).toContain("bad request");
    expect(JSON.stringify([failure?.diagnostic, stage.world.events])).not.toContain(SENTINEL);
  });

  it("names the resource whose callback threw, without what a callback over a secret said", async () => {
    const stage = new StageFixture();
    const secret = new Sensitive(SENTINEL);
    const broken = new Computed([secret], ([text]) => JSON.parse(String(text)));
    const ending = await stage.deploy([{ type: "put", name: "Bad", also: { broken } }]);
    expect(refusalOf(ending)).toBe("APPLY_CALLBACK_FAILED 2");
    const said = ending.kind === "error" ? JSON.stringify(ending.error.diagnostics) : "";
    expect(said).toContain("sim:put::Bad");
    expect(said).not.toContain(SENTINEL);
  });
});

describe("a resource of someone else", () => {
  it("under our name is left alone and named", async () => {
    const stage = new StageFixture();
    await stage.deploy([{ type: "put", name: "Bad" }]);
    const ours = stage.thing("Bad");
    await stage.remove();
    stage.world.cloud.place({ ...ours, tags: { ...ours.tags, "scrim:app": "blog" } });
    const ending = await stage.deploy(APP);
    const [failure] = resultOf(ending).failed;
    expect(failure?.diagnostic).toMatchObject({ code: "RESOURCE_FOREIGN" });
    expect(failure?.diagnostic.message).toContain("blog/dev");
    expect(stage.world.cloud.find("sim:put::Bad")[0]?.spec).toEqual(ours.spec);
    expect((await stage.world.snapshot()).openIntents).toEqual([]);
  });

  it("that took the place of ours is not deleted with the stage", async () => {
    const stage = new StageFixture();
    await stage.deploy([{ type: "put", name: "Bad" }]);
    const ours = stage.thing("Bad");
    stage.world.cloud.place({ ...ours, tags: { ...ours.tags, "scrim:stage": "prod" } });
    const ending = await stage.remove();
    expect(failuresOf(ending)).toEqual(["RESOURCE_FOREIGN"]);
    expect(stage.world.cloud.things).toHaveLength(1);
  });
});

describe("an interrupted deploy", () => {
  it("finishes what is in flight, starts nothing more, and goes on next time", async () => {
    const stage = new StageFixture();
    const interrupt = new AbortController();
    const faultAt = ({ kind }: Effect): null => {
      if (kind === "create") interrupt.abort();
      return null;
    };
    const chain: readonly GoalSketch[] = [
      { type: "table", name: "First" },
      { type: "named", name: "Second", uses: ["First"] },
    ];
    const ending = await stage.deploy(chain, {}, { faultAt, signal: interrupt.signal });
    const result = resultOf(ending);
    expect(result.status).toBe("interrupted");
    expect(result.notStarted.map(({ urn }) => urn)).toEqual(["sim:named::Second"]);
    expect(await stage.listing()).toEqual(["First 1 live"]);
    expect((await stage.world.snapshot()).openIntents).toEqual([]);
    await stage.deploy(chain);
    expect(await stage.problems()).toEqual([]);
  });

  it("does not wait for a call that is refused for a while", async () => {
    const stage = new StageFixture();
    const interrupt = new AbortController();
    const faultAt = ({ kind }: Effect): Fault | null => {
      if (kind !== "create") return null;
      interrupt.abort();
      return "throttle";
    };
    const ending = await stage.deploy(APP.slice(0, 1), {}, { faultAt, signal: interrupt.signal });
    expect(resultOf(ending).status).toBe("interrupted");
    expect(failuresOf(ending)).toEqual(["INTERRUPTED"]);
    expect((await stage.world.snapshot()).openIntents).toEqual([]);
  });
});

describe("a plan that does not fit any more", () => {
  it("fails where an output came out otherwise than foretold, and the next deploy mends it", async () => {
    const stage = new StageFixture();
    const app = (kind: string): readonly GoalSketch[] => [
      { type: "named", name: "Role", kind },
      { type: "named", name: "User", uses: ["Role"] },
    ];
    await stage.deploy(app("a"));
    // A type that foretells the old name for the new generation.
    const old = stage.thing("Role").id;
    const ending = await stage.deploy(
      app("b"),
      {},
      {
        tamper: {
          handlers: (handlers) =>
            new Map(
              [...handlers].map(([type, handler]) => [
                type,
                { ...handler, predict: () => ({ id: old, arn: `arn:${old}` }) },
              ]),
            ),
        },
      },
    );
    expect(failuresOf(ending)).toEqual(["PLAN_STALE"]);
    expect(resultOf(ending).failed[0]?.diagnostic.message).toContain("run deploy again");
    expect(stage.world.cloud.find("sim:named::Role")).toHaveLength(2);
    await stage.deploy(app("b"));
    expect(await stage.problems()).toEqual([]);
  });

  it("fails where a value that is known only now would force a replacement", async () => {
    const stage = new StageFixture();
    const app = (size: number): readonly GoalSketch[] => [
      { type: "put", name: "Settings", size },
      { type: "table", name: "Notes", kind: new Ref(simulatedUrn("put", "Settings"), "etag") },
    ];
    await stage.deploy(app(1));
    const ending = await stage.deploy(app(2));
    expect(failuresOf(ending)).toEqual(["PLAN_STALE"]);
    const again = await stage.deploy(app(2));
    expect(planOf(again).steps.map(({ action }) => action)).toEqual(["same", "create", "delete"]);
    expect(await stage.problems()).toEqual([]);
  });
});
