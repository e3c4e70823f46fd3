import type { EngineEvent, StepAction } from "../../model/event.ts";
import type { PlanSummary } from "../../model/plan.ts";
import { ACTIONS } from "./action-text.ts";
import { durationText } from "./duration-text.ts";

/** Counts of a finished command, in the order in which they are told. */
const TOLD: readonly StepAction[] = [
  "create",
  "adopt",
  "update",
  "replace",
  "rename",
  "delete",
  "detach",
  "forget",
];

/** Counts what steps did while their events go by. */
export class StepCounts {
  readonly #done = new Map<StepAction, number>();
  readonly #replaced = new Set<string>();
  #failed = 0;
  #skipped = 0;
  #same = 0;

  /** Whether this event is the end of an old generation, which belongs to the replacement told before. */
  isOldGeneration(event: EngineEvent): boolean {
    return "action" in event && event.action === "delete" && this.#replaced.has(event.urn);
  }

  add(event: EngineEvent): void {
    if (event.kind === "planned") this.#same = event.summary.same;
    if (event.kind === "step-failed") this.#failed += 1;
    if (event.kind === "step-skipped") this.#skipped += 1;
    if (event.kind !== "step-done" || this.isOldGeneration(event)) return;
    if (event.action === "replace") this.#replaced.add(event.urn);
    this.#done.set(event.action, (this.#done.get(event.action) ?? 0) + 1);
  }

  /** `3 created, 1 updated in 1.2 s`, or that nothing changed. */
  text(elapsedMs: number): string {
    const parts = TOLD.flatMap((action) => count(this.#done.get(action), ACTIONS[action].done));
    parts.push(...count(this.#failed, "failed"), ...count(this.#skipped, "skipped"));
    const time = durationText(elapsedMs);
    if (parts.length > 0) return `${parts.join(", ")} in ${time}`;
    return this.#same === 0
      ? `Nothing to do (${time})`
      : `No changes, ${resources(this.#same)} up to date (${time})`;
  }
}

/** Whether a plan changes nothing; then the summary at the end is all there is to tell. */
export function isNoop(summary: PlanSummary): boolean {
  const { create, update, replace, delete: deleted, retain } = summary;
  return create + update + replace + deleted + retain === 0;
}

/** What a plan would do: `3 to create, 1 to delete`. */
export function planSummaryText(summary: PlanSummary): string {
  const parts = [
    ...count(summary.create, "to create"),
    ...count(summary.update, "to update"),
    ...count(summary.replace, "to replace"),
    ...count(summary.delete, "to delete"),
    ...count(summary.retain, "to retain"),
  ];
  if (parts.length > 0) return parts.join(", ");
  return summary.same === 0 ? "Nothing to do" : `No changes, ${resources(summary.same)} up to date`;
}

function count(number: number | undefined, word: string): readonly string[] {
  return number ? [`${number} ${word}`] : [];
}

function resources(number: number): string {
  return number === 1 ? "1 resource" : `${number} resources`;
}
