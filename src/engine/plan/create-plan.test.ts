import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../model/snapshot.ts";
import { simulatedApp } from "../../testing/simulated-app.ts";
import { DEPLOY, REMOVE, runJob } from "../../testing/simulated-deployer.ts";
import { simulatedHandlers } from "../../testing/simulated-handlers.ts";
import { SimulatedWorld, simulatedSeal } from "../../testing/simulated-world.ts";
import { buildGraph, EMPTY_GRAPH } from "../graph/graph.ts";
import { createPlan } from "./create-plan.ts";
import type { Policy } from "./policy.ts";

async function deployed(): Promise<Snapshot> {
  const world = new SimulatedWorld();
  await runJob(world, world.start(), { goals: simulatedApp("first"), policy: DEPLOY });
  return world.snapshot();
}

function planText(snapshot: Snapshot, policy: Policy = DEPLOY): string {
  const world = new SimulatedWorld();
  const handlers = simulatedHandlers(world.cloud, world.start());
  const graph = policy.mode === "remove" ? EMPTY_GRAPH : buildGraph(simulatedApp("replaced"));
  return JSON.stringify(createPlan({ graph, snapshot, handlers, policy, seal: simulatedSeal }));
}

describe("createPlan", () => {
  it("makes the same bytes of the same input", async () => {
    const snapshot = await deployed();
    expect(planText(snapshot)).toBe(planText(structuredClone(snapshot)));
    expect(planText(snapshot, REMOVE)).toBe(planText(structuredClone(snapshot), REMOVE));
  });

  it("names every step once, and waits only for steps that stand before it", async () => {
    const snapshot = await deployed();
    for (const policy of [DEPLOY, REMOVE]) {
      const { steps } = JSON.parse(planText(snapshot, policy)) as {
        steps: { id: string; after: string[] }[];
      };
      const seen = new Set<string>();
      for (const { id, after } of steps) {
        expect(after.filter((before) => !seen.has(before))).toEqual([]);
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
    }
  });

  it("says that interrupted operations are looked into first", async () => {
    const snapshot = await deployed();
    const [state] = snapshot.resources;
    if (state === undefined) throw new Error("nothing deployed");
    const { urn, type, name, component, generation, physicalName, dependsOn } = state;
    const intent = {
      ...{ id: "9.1", operation: "update" as const, token: "", inputsHash: "", at: "" },
      ...{ urn, type, name, component, generation, physicalName, dependsOn },
    };
    expect(planText({ ...snapshot, openIntents: [intent] })).toContain("INTENTS_OPEN");
  });

  it("plans the removal of records that depend on each other", async () => {
    const snapshot = await deployed();
    const [first, second, ...rest] = snapshot.resources;
    if (first === undefined || second === undefined) throw new Error("too few resources");
    const knotted = [
      { ...first, dependsOn: [second.urn] },
      { ...second, dependsOn: [first.urn] },
      ...rest,
    ];
    const { steps } = JSON.parse(planText({ ...snapshot, resources: knotted }, REMOVE)) as {
      steps: unknown[];
    };
    expect(steps).toHaveLength(snapshot.resources.length);
  });
});
