import type { LogRecord } from "../../model/record.ts";
import type { EpochSummary } from "../journal.ts";
import type { Frame } from "../log/frame.ts";
import { loadFrame, newestSlot } from "../log/read-stage.ts";
import { slotKey } from "../log/slot-key.ts";
import { type StagePlace, stateCorrupt } from "../log/stage-place.ts";

/** The newest epochs first, as far back as their frames were kept: two reads an epoch. */
export async function readHistory(
  place: StagePlace,
  limit: number,
): Promise<readonly EpochSummary[]> {
  const summaries: EpochSummary[] = [];
  let last = await newestWhole(place, await newestSlot(place));
  while (last !== null && summaries.length < limit) {
    const first = await newestWhole(place, last.start);
    if (first === null || first.slot !== last.start) break;
    summaries.push(summarize(first, last, summaries.length === 0));
    last = await newestWhole(place, first.slot - 1);
  }
  return summaries;
}

/** The frame in `slot`, or the nearest below that is not torn; null where the log begins or was pruned. */
async function newestWhole(place: StagePlace, slot: number): Promise<Frame | null> {
  for (let at = slot; at > 0; at -= 1) {
    const loaded = await loadFrame(place, at);
    if (loaded.frame !== null) return loaded.frame;
    if (loaded.state === "missing") return null;
    if (loaded.state === "damaged")
      throw stateCorrupt(place.store, place.logPrefix + slotKey(at), loaded.why, 0);
  }
  return null;
}

function summarize(first: Frame, last: Frame, newest: boolean): EpochSummary {
  const start = first.records.find((record) => record.kind === "epoch-start");
  const end = endOf(last);
  return {
    serial: last.slot,
    epoch: last.epoch,
    command: start?.command ?? "",
    who: start?.owner.who ?? "",
    // A later epoch began where this one has no end: its holder was overtaken.
    status: end?.status ?? (newest ? "open" : "interrupted"),
    startedAt: start?.at ?? first.at,
    endedAt: end?.at ?? null,
    resources: end?.resources ?? 0,
  };
}

function endOf(frame: Frame): (LogRecord & { readonly kind: "epoch-end" }) | null {
  const last = frame.records.at(-1);
  return last?.kind === "epoch-end" ? last : null;
}
