import type { Step } from "../../model/plan.ts";
import { drive } from "./drive.ts";
import { mutate } from "./mutate.ts";
import { type Run, workFor } from "./run.ts";
import { DONE, type StepResult } from "./step-result.ts";

/** Deletes a resource and waits until it is gone. One that is gone already is a success. */
export async function deleteStep(
  run: Run,
  step: Step & { readonly action: "delete" },
): Promise<StepResult> {
  const { prior } = step;
  const work = workFor(run, prior);
  return mutate(run, {
    operation: "delete",
    ...{ step, subject: prior, dependsOn: prior.dependsOn, inputs: null, work },
    perform: () =>
      drive(work, {
        id: prior.id,
        until: "gone",
        invoke: (context) => work.handler.delete(context, prior.id),
      }),
    recordsOf: (_, intent) => {
      return { records: [{ kind: "outcome", intent, state: null }], result: DONE };
    },
    broken: null,
  });
}
