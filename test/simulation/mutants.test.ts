import { describe, expect, it } from "vitest";
import type { HandlerContext, ResourceHandler } from "../../src/engine/handler.ts";
import type { Epoch } from "../../src/home/journal.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { LogRecord } from "../../src/model/record.ts";
import { simulatedApp } from "../../src/testing/simulated-app.ts";
import type { Tamper } from "../../src/testing/simulated-deployer.ts";
import { huntSingleFaults } from "./hunt.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Passes on only what `keep` lets through, as a journal would that forgets the rest. */
function journal(
  epoch: Epoch,
  keep: (records: readonly LogRecord[]) => readonly LogRecord[],
): Epoch {
  return {
    epoch: epoch.epoch,
    signal: epoch.signal,
    snapshot: () => epoch.snapshot(),
    end: (status) => epoch.end(status),
    append: (records) => epoch.append(keep(records)),
  };
}

/** Holds intents back until their outcomes are written. */
function withLateIntents(epoch: Epoch): Epoch {
  const held = new Map<string, LogRecord>();
  return journal(epoch, (records) =>
    records.flatMap((record) => {
      if (record.kind === "intent") {
        held.set(record.intent.id, record);
        return [];
      }
      const intent = record.kind === "outcome" ? held.get(record.intent) : undefined;
      return intent === undefined ? [record] : [intent, record];
    }),
  );
}

function everyHandler(change: (handler: ResourceHandler) => Partial<ResourceHandler>): Tamper {
  return {
    handlers: (handlers) =>
      new Map([...handlers].map(([type, handler]) => [type, { ...handler, ...change(handler) }])),
  };
}

let names = 0;

function renamed(context: HandlerContext): HandlerContext {
  names += 1;
  return { ...context, physicalName: `${context.physicalName}-${names}` };
}

function eachStep(change: (step: Plan["steps"][number]) => Plan["steps"][number]): Tamper {
  return { plan: (plan) => ({ ...plan, steps: plan.steps.map(change) }) };
}

const MUTANTS: Readonly<Record<string, Tamper>> = {
  "writes the intent only with the outcome": { epoch: withLateIntents },
  "forgets outcomes": {
    epoch: (epoch) =>
      journal(epoch, (records) => records.filter((record) => record.kind !== "outcome")),
  },
  "forgets old generations": {
    epoch: (epoch) =>
      journal(epoch, (records) => records.filter((record) => record.kind !== "resource")),
  },
  "loses the identity of what it made": {
    epoch: (epoch) =>
      journal(epoch, (records) =>
        records.map((record) =>
          record.kind === "outcome" && record.state
            ? { ...record, state: { ...record.state, id: `${record.state.id}x` } }
            : record,
        ),
      ),
  },
  "names things by chance": everyHandler((handler) => ({
    create: (context, inputs) => handler.create(renamed(context), inputs),
  })),
  "creates without tags": everyHandler((handler) => ({
    create: (context, inputs) =>
      handler.create({ ...context, tags: { ...context.tags, "scrim:urn": "none" } }, inputs),
  })),
  "takes what it cannot find by name for absent": everyHandler((handler) => ({
    read: async (context, id) => (id === null ? { kind: "gone" } : handler.read(context, id)),
  })),
  "does not wait for what lags": everyHandler(() => ({ consistencyWindowMs: 0 })),
  "takes a refused delete for done": everyHandler((handler) => ({
    delete: async (context, id) => {
      const answer = await handler.delete(context, id);
      return answer.kind === "retry" ? { kind: "gone" } : answer;
    },
  })),
  "does not wait until things are ready": everyHandler((handler) => ({
    create: async (context, inputs) => {
      const answer = await handler.create(context, inputs);
      return answer.kind === "pending" ? { kind: "done", id: answer.id, outputs: {} } : answer;
    },
  })),
  "ignores the order of dependencies": eachStep((step) => ({ ...step, after: [] })),
  "replaces in place": everyHandler(() => ({ replaces: () => [] })),
  "stores secrets in clear": { seal: (value) => JSON.stringify(value) },
};

/** Replacements first: they use most of the engine, so most mutants are caught there. */
const HUNTED = [...SCENARIOS].sort((left, right) => rank(left) - rank(right));

function rank({ name }: { readonly name: string }): number {
  return name === "replace" ? 0 : 1;
}

async function isCaught(tamper: Tamper): Promise<boolean> {
  for (const scenario of HUNTED) {
    try {
      const { problems } = await huntSingleFaults(scenario, simulatedApp, tamper, 1);
      if (problems.length > 0) return true;
    } catch {
      // The engine or the home refused to go on: that is noticing, too.
      return true;
    }
  }
  return false;
}

describe("the simulation notices a tool that", () => {
  for (const [name, tamper] of Object.entries(MUTANTS)) {
    it(name, { timeout: 120_000 }, async () => {
      expect(await isCaught(tamper)).toBe(true);
    });
  }
});
