import type { Step } from "../../model/plan.ts";
import type { LogRecord } from "../../model/record.ts";
import type { ResourceState } from "../../model/resource.ts";
import { dependenciesOf } from "../graph/dependencies-of.ts";
import { makeResource } from "./make-resource.ts";
import { mutate } from "./mutate.ts";
import { resolveGoal } from "./resolve-goal.ts";
import { type Run, timestamp, workFor } from "./run.ts";
import { resourceGone } from "./stale.ts";
import { DONE, type StepResult } from "./step-result.ts";

type CreateStep = Step & { readonly action: "create" };

/** Makes a resource. In a replacement the old generation becomes deposed in the same frame of the log. */
export async function createStep(run: Run, step: CreateStep): Promise<StepResult> {
  const { goal, replaces, urn, generation, physicalName } = step;
  const inputs = resolveGoal(run, goal);
  const { type, name, component } = goal;
  const dependsOn = dependenciesOf(goal);
  const subject = { urn, generation, type, component, physicalName };
  const work = workFor(run, subject, dependsOn);
  const startedAt = timestamp(run);
  const stateOf = (id: string): Omit<ResourceState, "status" | "inputs" | "outputs"> => {
    const at = { createdAt: startedAt, updatedAt: timestamp(run) };
    return { urn, type, name, component, generation, physicalName, id, dependsOn, ...at };
  };
  return mutate(run, {
    operation: "create",
    ...{ step, subject: goal, dependsOn, inputs, work },
    perform: () => makeResource(work, inputs.clear),
    recordsOf: (driven, intent) => {
      if (driven.kind === "gone") {
        const [diagnostic] = resourceGone(urn).diagnostics;
        const records: readonly LogRecord[] = [{ kind: "outcome", intent, state: null }];
        return { records, result: { kind: "failed", diagnostic } };
      }
      const { id, outputs } = driven;
      run.outputs.set(urn, outputs);
      run.changed.add(urn);
      const state: ResourceState = {
        ...stateOf(id),
        ...{ status: "live", inputs: inputs.stored, outputs },
      };
      return {
        records: [...depose(run, replaces), { kind: "outcome", intent, state }],
        result: DONE,
      };
    },
    broken: (id) => ({
      ...stateOf(id),
      ...{ status: replaces === null ? "tainted" : "deposed", inputs: null, outputs: {} },
    }),
  });
}

/** The old generation is no longer the one in use. Written in front of the new one: never two at a time. */
function depose(run: Run, old: ResourceState | null): readonly LogRecord[] {
  if (old === null) return [];
  const state: ResourceState = { ...old, status: "deposed", updatedAt: timestamp(run) };
  return [{ kind: "resource", state }];
}
