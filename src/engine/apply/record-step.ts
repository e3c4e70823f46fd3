import type { Step } from "../../model/plan.ts";
import type { LogRecord } from "../../model/record.ts";
import { renamedState } from "../renamed-state.ts";
import { type Run, record, timestamp } from "./run.ts";
import { DONE, type StepResult } from "./step-result.ts";

type RecordStep = Step & { readonly action: "rename" | "detach" | "forget" };

/** Changes a record and nothing in the cloud. All of it goes into one frame of the log. */
export async function recordStep(run: Run, step: RecordStep): Promise<StepResult> {
  await record(run, recordsOf(run, step));
  if (step.action === "rename") run.outputs.set(step.urn, step.prior.outputs);
  return DONE;
}

function recordsOf(run: Run, step: RecordStep): readonly LogRecord[] {
  const { prior, urn, generation } = step;
  const updatedAt = timestamp(run);
  switch (step.action) {
    case "forget":
      return [{ kind: "forget", urn, generation }];
    case "detach": {
      // What it points at and what goes with this plan would only mislead the order of later deletes.
      const dependsOn = prior.dependsOn.filter((dependency) => !run.leaving.has(dependency));
      return [{ kind: "resource", state: { ...prior, status: "retained", dependsOn, updatedAt } }];
    }
    case "rename": {
      const state = { ...renamedState(prior, step.goal), updatedAt };
      if (prior.urn === urn) return [{ kind: "resource", state }];
      return [
        { kind: "forget", urn: prior.urn, generation },
        { kind: "resource", state },
      ];
    }
  }
}
