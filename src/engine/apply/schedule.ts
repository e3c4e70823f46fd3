import type { Step } from "../../model/plan.ts";
import type { Urn } from "../../model/urn.ts";
import { StepQueue } from "./step-queue.ts";

/** How the steps of a plan are run. */
export interface Schedule {
  /** Steps in flight at once. */
  readonly concurrency: number;
  /** Asked before each step is started. */
  readonly mayStart: () => boolean;
  /** Whether the step succeeded. When it rejects, nothing more is started. */
  readonly run: (step: Step) => Promise<boolean>;
  /** Starts a step even when something that it waits for has failed. */
  readonly pastFailures?: boolean;
  /** Told of each step that cannot be done because something it needs failed. */
  readonly skip: (step: Step, because: Urn) => void;
}

/**
 * Runs each step once everything that it names in `after` has succeeded; independent branches go on after a failure.
 *
 * @returns the steps that were not started although nothing they need has failed
 * @throws the first thing that `run` rejected with, once every step in flight has ended
 */
export function runSteps(steps: readonly Step[], schedule: Schedule): Promise<readonly Step[]> {
  const queue = new StepQueue(steps);
  let running = 0;
  let broken: { readonly error: unknown } | null = null;
  return new Promise((resolve, reject) => {
    const finish = async (step: Step): Promise<void> => {
      try {
        if ((await schedule.run(step)) || schedule.pastFailures === true) queue.succeed(step);
        else for (const skipped of queue.fail(step)) schedule.skip(skipped, step.urn);
      } catch (error) {
        broken ??= { error };
      }
      running -= 1;
      pump();
    };
    const pump = (): void => {
      while (running < schedule.concurrency && broken === null && schedule.mayStart()) {
        const step = queue.take();
        if (step === null) break;
        running += 1;
        void finish(step);
      }
      if (running > 0) return;
      if (broken === null) resolve(queue.untouched());
      else reject(broken.error);
    };
    pump();
  });
}
