import { type JsonObject, jsonEquals } from "../../model/json.ts";
import type { Step } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import { dependenciesOf } from "../graph/dependencies-of.ts";
import { handlerOf } from "../handler-of.ts";
import { knownInputs } from "../interrupted-inputs.ts";
import { sameAsStored } from "../values/same-as-stored.ts";
import { drive, notFound } from "./drive.ts";
import { mutate } from "./mutate.ts";
import { observe } from "./observe.ts";
import { evaluationFor, type GoalInputs, resolveGoal } from "./resolve-goal.ts";
import { type Run, record, timestamp, workFor } from "./run.ts";
import { planStale, resourceGone } from "./stale.ts";
import { DONE, type StepResult, UNCHANGED } from "./step-result.ts";
import type { Work } from "./work.ts";

type UpdateStep = Step & { readonly action: "update" | "adopt" };

/** Brings a resource to its goal; leaves it alone when the resolved inputs turn out to be the recorded ones. */
export async function updateStep(run: Run, step: UpdateStep): Promise<StepResult> {
  const { goal, prior, urn } = step;
  const inputs = resolveGoal(run, goal);
  const changed = changedKeys(prior, inputs);
  assertNoReplacement(run, step, changed, inputs);
  const isCertain = knownInputs(prior.inputs).isCertain;
  const work = workFor(run, { ...prior, component: goal.component });
  if (step.action === "adopt") {
    const missing = await assertStillThere(run, step, work);
    if (missing !== null) return missing;
  }
  if (isCertain && changed.length === 0) return keep(run, step, inputs);
  return mutate(run, {
    operation: "update",
    ...{ step, subject: goal, dependsOn: dependenciesOf(goal), inputs, work },
    perform: () =>
      drive(work, {
        id: prior.id,
        until: "there",
        invoke: (context) => work.handler.update(context, prior.id, inputs.clear),
      }),
    recordsOf: (driven, intent) => {
      if (driven.kind === "gone") {
        const [diagnostic] = resourceGone(urn).diagnostics;
        return {
          records: [{ kind: "outcome", intent, state: null }],
          result: { kind: "failed", diagnostic },
        };
      }
      run.changed.add(urn);
      const state = updatedState(run, step, inputs, driven.id, driven.outputs);
      return { records: [{ kind: "outcome", intent, state }], result: DONE };
    },
    broken: null,
  });
}

/**
 * Looks once more at a step that was planned as no change over a resource which has changed since.
 *
 * @throws DiagnosticError `PLAN_STALE` when an output that the plan took for granted came out otherwise
 */
export function sameStep(run: Run, step: Step & { readonly action: "same" }): StepResult {
  const { goal, prior, urn } = step;
  run.outputs.set(urn, prior.outputs);
  if (!prior.dependsOn.some((dependency) => run.changed.has(dependency))) return UNCHANGED;
  if (sameAsStored(goal.inputs, prior.inputs ?? undefined, evaluationFor(run, goal))) {
    return UNCHANGED;
  }
  throw planStale(urn, "An output that it uses came out otherwise than was foretold.");
}

/** Top-level keys that differ from the record, as far as it knows. */
function changedKeys(prior: ResourceState, inputs: GoalInputs): readonly string[] {
  const before = knownInputs(prior.inputs).known;
  if (before === null) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(inputs.stored)]);
  return [...keys].sort().filter((key) => !jsonEquals(before[key], inputs.stored[key]));
}

function assertNoReplacement(
  run: Run,
  { goal, prior, urn }: UpdateStep,
  changed: readonly string[],
  inputs: GoalInputs,
): void {
  const { known } = knownInputs(prior.inputs);
  if (known === null || changed.length === 0) return;
  const handler = handlerOf(run.handlers, goal.type);
  const forcing = handler.replaces(changed, known, inputs.stored);
  if (forcing.length === 0) return;
  throw planStale(
    urn,
    `${forcing.join(", ")} came out otherwise than planned, which calls for a replacement.`,
  );
}

/** A retained resource may have been deleted by hand while nobody looked after it. */
async function assertStillThere(
  run: Run,
  { prior, urn, generation }: UpdateStep,
  work: Work,
): Promise<StepResult | null> {
  const windowMs = work.handler.consistencyWindowMs;
  const observed = await observe(work, { id: prior.id, until: "there", windowMs });
  if (observed.kind === "found") return null;
  if (observed.kind !== "absent") return notFound(work, observed);
  await record(run, [{ kind: "forget", urn, generation }]);
  return { kind: "failed", diagnostic: resourceGone(urn).diagnostics[0] };
}

async function keep(run: Run, step: UpdateStep, inputs: GoalInputs): Promise<StepResult> {
  const { prior } = step;
  const state = updatedState(run, step, inputs, prior.id, prior.outputs);
  if (isRewritten(prior, state)) await record(run, [{ kind: "resource", state }]);
  return step.action === "adopt" ? DONE : UNCHANGED;
}

/** Whether a record says more than that the resource is unchanged. */
function isRewritten(prior: ResourceState, state: ResourceState): boolean {
  return (
    prior.status !== state.status ||
    prior.name !== state.name ||
    prior.component !== state.component ||
    !sameUrns(prior.dependsOn, state.dependsOn)
  );
}

function sameUrns(left: readonly Urn[], right: readonly Urn[]): boolean {
  return left.length === right.length && left.every((urn, index) => urn === right[index]);
}

function updatedState(
  run: Run,
  { prior, goal }: UpdateStep,
  inputs: GoalInputs,
  id: string,
  outputs: JsonObject,
): ResourceState {
  run.outputs.set(goal.urn, outputs);
  return {
    ...prior,
    name: goal.name,
    component: goal.component,
    status: "live",
    id,
    inputs: inputs.stored,
    outputs,
    dependsOn: dependenciesOf(goal),
    updatedAt: timestamp(run),
  };
}
