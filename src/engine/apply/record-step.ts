import type { Plan, Step } from "../../model/plan.ts";
import type { LogRecord } from "../../model/record.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { moveRecord, renamesOf } from "../move-record.ts";
import { type Run, record, timestamp } from "./run.ts";
import { DONE, type StepResult } from "./step-result.ts";

type RecordStep = Step & { readonly action: "detach" | "forget" };

/** Changes a record and nothing in the cloud. */
export async function recordStep(run: Run, step: RecordStep): Promise<StepResult> {
  await record(run, recordsOf(run, step));
  return DONE;
}

function recordsOf(run: Run, step: RecordStep): readonly LogRecord[] {
  const { prior, urn, generation } = step;
  const updatedAt = timestamp(run);
  switch (step.action) {
    case "forget":
      return [{ kind: "forget", urn, generation }];
    case "detach":
      return [{ kind: "resource", state: { ...prior, status: "retained", updatedAt } }];
  }
}

/** The records of all renames of a plan: one append, so that no crash leaves half of them. */
export function renameRecords(plan: Plan, snapshot: Snapshot): readonly LogRecord[] {
  const renames = renamesOf(plan);
  if (renames.size === 0) return [];
  const forgotten: LogRecord[] = [];
  const moved: LogRecord[] = [];
  for (const state of snapshot.resources) {
    const now = moveRecord(state, renames);
    if (now === state) continue;
    const { urn, generation } = state;
    if (now.urn !== urn) forgotten.push({ kind: "forget", urn, generation });
    moved.push({ kind: "resource", state: now });
  }
  return [...forgotten, ...moved];
}
