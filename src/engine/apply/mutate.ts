import type { Step } from "../../model/plan.ts";
import type { LogRecord } from "../../model/record.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Intent } from "../../model/snapshot.ts";
import type { Urn } from "../../model/urn.ts";
import { redactDiagnostic } from "../values/redact.ts";
import type { Driven, Failed } from "./drive.ts";
import type { GoalInputs } from "./resolve-goal.ts";
import { generationKey, nextIntentId, type Run, record, timestamp } from "./run.ts";
import { unsettled } from "./stale.ts";
import type { StepResult } from "./step-result.ts";
import type { Work } from "./work.ts";

/** A mutation from its intent to its outcome. */
export interface Mutating {
  readonly operation: Intent["operation"];
  readonly step: Step;
  readonly subject: Pick<ResourceState, "type" | "name" | "component">;
  readonly dependsOn: readonly Urn[];
  /** Null for deletes. */
  readonly inputs: GoalInputs | null;
  readonly work: Work;
  /** Makes the calls; the intent is durable by then. */
  readonly perform: () => Promise<Driven>;
  /** What to record when it is ready or gone. */
  readonly recordsOf: (
    driven: Exclude<Driven, Failed>,
    intent: string,
  ) => { readonly records: readonly LogRecord[]; readonly result: StepResult };
  /** The record of a thing that can never be used; null where such a thing stays as it is known. */
  readonly broken: ((id: string) => ResourceState) | null;
}

/** Intent, call, outcome: each durable before the next. */
export async function mutate(run: Run, mutating: Mutating): Promise<StepResult> {
  if (run.unsettled.has(generationKey(mutating.step))) throw unsettled(mutating.step.urn);
  const intent = intentOf(run, mutating);
  await record(run, [{ kind: "intent", intent }]);
  const driven = await mutating.perform();
  if (driven.kind === "failed") return failed(run, mutating, intent, driven);
  const { records, result } = mutating.recordsOf(driven, intent.id);
  await record(run, records);
  return result;
}

function intentOf(run: Run, mutating: Mutating): Intent {
  const { operation, step, subject, dependsOn, inputs, work } = mutating;
  return {
    id: nextIntentId(run),
    operation,
    urn: step.urn,
    type: subject.type,
    name: subject.name,
    component: subject.component,
    generation: step.generation,
    physicalName: step.physicalName,
    token: work.about.token,
    inputsHash: inputs === null ? "" : run.seal(inputs.clear),
    dependsOn,
    at: timestamp(run),
  };
}

async function failed(
  run: Run,
  { broken, inputs }: Mutating,
  intent: Intent,
  { diagnostic, leaves, id }: Failed,
): Promise<StepResult> {
  if (leaves === "unchanged") await record(run, [{ kind: "outcome", intent: intent.id }]);
  if (leaves === "broken" && broken !== null) {
    const state = broken(id === undefined || id === "" ? intent.physicalName : id);
    await record(run, [{ kind: "outcome", intent: intent.id, state }]);
  }
  return {
    kind: "failed",
    diagnostic: inputs === null ? diagnostic : redactDiagnostic(diagnostic, inputs.resolved),
  };
}
