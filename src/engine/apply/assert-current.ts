import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Plan, Step } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Urn } from "../../model/urn.ts";

/**
 * Checks that the records a plan was made from are the records that the stage has: no step may act on what another
 * writer has changed since.
 *
 * @throws DiagnosticError `PLAN_STALE` (exit 1)
 */
export function assertCurrent(plan: Plan, snapshot: Snapshot): void {
  const records = new Map(snapshot.resources.map((state) => [keyOf(state), state]));
  const moved = new Set(
    plan.steps.flatMap((step) =>
      step.action === "rename" ? `${step.generation} ${step.urn}` : [],
    ),
  );
  for (const step of plan.steps) {
    const prior = priorOf(step);
    if (prior === null) {
      if (records.has(keyOf(step))) throw stale(step.urn);
    } else if (step.action === "rename" || !moved.has(keyOf(prior))) {
      const recorded = records.get(keyOf(prior));
      if (recorded === undefined || !isSameVersion(recorded, prior)) throw stale(prior.urn);
    }
  }
}

function priorOf(step: Step): ResourceState | null {
  return step.action === "create" ? null : step.prior;
}

/** Every change of a record sets its time; the rest catches two within a millisecond. */
function isSameVersion(left: ResourceState, right: ResourceState): boolean {
  return (
    left.updatedAt === right.updatedAt &&
    left.status === right.status &&
    left.id === right.id &&
    (left.inputs === null) === (right.inputs === null)
  );
}

function keyOf({ urn, generation }: { readonly urn: Urn; readonly generation: number }): string {
  return `${generation} ${urn}`;
}

function stale(urn: Urn): Error {
  return fail("PLAN_STALE", "the plan is stale, run deploy again", {
    why: `The stage has changed since the plan was made: ${urn} is not as it was.`,
    hint: "Run the command again; it plans with what is known now.",
    exit: EXIT.failed,
  });
}
