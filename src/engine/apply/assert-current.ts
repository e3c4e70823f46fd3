import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Urn } from "../../model/urn.ts";
import { moveRecord, renamesOf } from "../move-record.ts";

/**
 * Checks that the records a plan was made from are the records that the stage has: no step may act on what another
 * writer has changed since.
 *
 * @throws DiagnosticError `PLAN_STALE` (exit 1)
 */
export function assertCurrent(plan: Plan, snapshot: Snapshot): void {
  const renames = renamesOf(plan);
  const records = new Map(
    snapshot.resources.map((state) => {
      const moved = moveRecord(state, renames);
      return [keyOf(moved), moved];
    }),
  );
  for (const step of plan.steps) {
    const recorded = records.get(keyOf(step));
    const prior = step.action === "create" ? null : step.prior;
    const isCurrent =
      prior === null
        ? recorded === undefined
        : recorded !== undefined && isSameVersion(recorded, prior);
    if (!isCurrent) throw stale(step.urn);
  }
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
  return fail("PLAN_STALE", "The plan is stale, run deploy again", {
    why: `The stage has changed since the plan was made: ${urn} is not as it was.`,
    hint: "Run the command again; it plans with what is known now.",
    exit: EXIT.failed,
  });
}
