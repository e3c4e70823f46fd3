import type { Frame } from "../log/frame.ts";
import { loadCheckpoint, loadFrame } from "../log/read-stage.ts";
import { slotKey, slotOf } from "../log/slot-key.ts";
import type { StagePlace } from "../log/stage-place.ts";

/** How many states can be had back by their serial, and how many chances a damaged snapshot leaves. */
const SNAPSHOTS_KEPT = 10;
const KEYS_A_PAGE = 1_000;

/**
 * Deletes the snapshots but the newest, and the frames that those say all of. Frames that began a writer's work stay
 * for ever: behind the last frame of an overtaken writer stands such a frame, so its next slot is taken however late
 * it wakes. Safe while others read and write, and when it is interrupted: it deletes the oldest first.
 */
export async function pruneStage(place: StagePlace): Promise<void> {
  const snapshots = await snapshotSlots(place);
  const oldestKept = snapshots[SNAPSHOTS_KEPT - 1];
  if (oldestKept === undefined) return;
  // What is about to go is needed for ever if this snapshot cannot be read.
  if ((await loadCheckpoint(place, oldestKept, [])) === null) return;
  const frames = await prunableFrames(place, oldestKept);
  for (const slot of frames) await place.store.delete(place.logPrefix + slotKey(slot));
  for (const slot of snapshots.slice(SNAPSHOTS_KEPT).reverse())
    await place.store.delete(place.snapshotPrefix + slotKey(slot));
}

/** Newest first. */
async function snapshotSlots(place: StagePlace): Promise<readonly number[]> {
  const slots: number[] = [];
  let after = "";
  for (;;) {
    const keys = await place.store.list(place.snapshotPrefix, KEYS_A_PAGE, after);
    for (const key of keys) slots.push(slotOf(key) ?? 0);
    after = keys.at(-1) ?? "";
    if (keys.length < KEYS_A_PAGE) return slots.filter((slot) => slot > 0);
  }
}

/** Ascending; from `newest` down to where an earlier pruning has been. */
async function prunableFrames(place: StagePlace, newest: number): Promise<readonly number[]> {
  const slots: number[] = [];
  for (let slot = newest; slot > 0; slot -= 1) {
    const loaded = await loadFrame(place, slot);
    if (loaded.state === "missing") break;
    if (loaded.frame !== null && !beginsAWriter(loaded.frame)) slots.push(slot);
  }
  return slots.reverse();
}

/** The start of an epoch, and the end that another put to one. */
function beginsAWriter(frame: Frame): boolean {
  return frame.records.some(
    (record) =>
      record.kind === "epoch-start" || (record.kind === "epoch-end" && record.status === "forced"),
  );
}
