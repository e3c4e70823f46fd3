import { DiagnosticError } from "../../model/diagnostic.ts";
import { emptySnapshot } from "../../model/snapshot.ts";
import { ChainWalk, type LoadedFrame, type StageState, type WalkBase } from "./chain-walk.ts";
import { type Frame, readFrame } from "./frame.ts";
import { slotKey, slotOf } from "./slot-key.ts";
import { type Checkpoint, readCheckpoint } from "./snapshot-file.ts";
import { type StagePlace, stateCorrupt, stateTooNew } from "./stage-place.ts";

type UnusableSnapshot = WalkBase["unusable"][number];

/** How often a log that moves while it is read is read again. */
const ATTEMPTS_MAX = 4;
/** Frames fetched at once; on a remote store reading is bounded by round trips. */
const FRAMES_AT_ONCE = 16;
const SNAPSHOTS_LISTED = 1_000;

/**
 * Reads a stage: two listings, made at once, and two reads when its last epoch has ended; only the first of them when
 * the log still has the head of an earlier reading.
 *
 * @param earlier what was read before, or null
 * @throws DiagnosticError `STATE_CORRUPT`, `STATE_TOO_NEW` (exit 6), or what the store rejects with
 */
export async function readStage(
  place: StagePlace,
  earlier: StageState | null = null,
): Promise<StageState> {
  for (let attempt = 1; ; attempt += 1) {
    const [headSlot, snapshots] = await Promise.all([
      newestSlot(place),
      place.store.list(place.snapshotPrefix, 1),
    ]);
    try {
      checkNotBehind(place, headSlot, snapshots[0]);
      if (earlier !== null && (await isStillHead(place, headSlot, earlier))) return earlier;
      return await readUpTo(place, headSlot);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      // Another process may have pruned what was about to be read; then the head has moved on as well.
      if (attempt === ATTEMPTS_MAX || (await newestSlot(place)) === headSlot) throw error;
    }
  }
}

/** Each frame names the one before by its hash, so that the same head has the same frames behind it. */
async function isStillHead(
  place: StagePlace,
  headSlot: number,
  { head, notes }: StageState,
): Promise<boolean> {
  if (headSlot === 0 || headSlot !== head.slot || notes.length > 0) return false;
  return (await loadFrame(place, headSlot)).hash === head.hash;
}

/** A snapshot is written behind the frame that it is of. @throws DiagnosticError `STATE_CORRUPT` */
function checkNotBehind(place: StagePlace, headSlot: number, newestSnapshot?: string): void {
  if (newestSnapshot === undefined || (slotOf(newestSnapshot) ?? 0) <= headSlot) return;
  throw stateCorrupt(
    place.store,
    newestSnapshot,
    "the frames of the log that it was made from are missing",
    headSlot,
  );
}

/** The slot of the newest frame, torn or not; 0 when there is none. */
export async function newestSlot(place: StagePlace): Promise<number> {
  const keys = await place.store.list(place.logPrefix, 1);
  const key = keys[0];
  if (key === undefined) return 0;
  const slot = slotOf(key);
  if (slot === null) throw stateCorrupt(place.store, key, "its name is not that of a frame", 0);
  return slot;
}

/** The state after the frame in `headSlot`, as if nothing had been written behind it. */
export async function readUpTo(place: StagePlace, headSlot: number): Promise<StageState> {
  const head = headSlot === 0 ? null : await loadFrame(place, headSlot);
  const base = await newestCheckpoint(place, headSlot, head?.frame ?? null);
  const walk = new ChainWalk(place, base);
  for (let from = base.checkpoint.snapshot.serial + 1; from <= headSlot; from += FRAMES_AT_ONCE) {
    const length = Math.min(FRAMES_AT_ONCE, headSlot - from + 1);
    const slots = Array.from({ length }, (_, index) => from + index);
    const loaded = await Promise.all(
      slots.map((slot) => (slot === head?.slot ? head : loadFrame(place, slot))),
    );
    for (const frame of loaded) walk.step(frame);
  }
  return walk.end(head?.frame?.at ?? null);
}

/** @throws DiagnosticError `STATE_TOO_NEW` */
export async function loadFrame(place: StagePlace, slot: number): Promise<LoadedFrame> {
  const key = place.logPrefix + slotKey(slot);
  const bytes = await place.store.get(key);
  if (bytes === null)
    return { slot, hash: "", frame: null, state: "missing", why: "it is missing" };
  const reading = readFrame(bytes, slot);
  const { hash } = reading;
  switch (reading.kind) {
    case "whole":
      return { slot, hash, frame: reading.frame, state: "whole", why: "" };
    case "torn":
      return { slot, hash, frame: null, state: "torn", why: "it ends in the middle" };
    case "damaged":
      return { slot, hash, frame: null, state: "damaged", why: reading.why };
    case "too-new":
      throw stateTooNew(place.store, key, reading.requires);
  }
}

/** The newest snapshot at or before the head that can be read; the empty one when there is none. */
async function newestCheckpoint(
  place: StagePlace,
  headSlot: number,
  headFrame: Frame | null,
): Promise<WalkBase> {
  const unusable: UnusableSnapshot[] = [];
  const named = snapshotNamedBy(headFrame);
  const keys =
    named === null ? await listSnapshots(place) : [place.snapshotPrefix + slotKey(named)];
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? "";
    const slot = slotOf(key);
    if (slot === null || slot > headSlot) continue;
    const checkpoint = await loadCheckpoint(place, slot, unusable);
    if (checkpoint !== null) return { checkpoint, unusable };
    if (slot === named) keys.push(...(await listSnapshots(place)).filter((other) => other !== key));
  }
  const snapshot = emptySnapshot(place.app, place.stage);
  return { checkpoint: { snapshot, hash: "", epoch: 0, start: 0, open: null }, unusable };
}

async function listSnapshots(place: StagePlace): Promise<string[]> {
  return [...(await place.store.list(place.snapshotPrefix, SNAPSHOTS_LISTED))];
}

function snapshotNamedBy(frame: Frame | null): number | null {
  const last = frame?.records.at(-1);
  if (frame === null || last?.kind !== "epoch-end") return null;
  return last.snapshot > 0 && last.snapshot < frame.slot ? last.snapshot : null;
}

/** Null when it is missing or damaged, and then added to `unusable`: the frames behind an older one say the same. */
export async function loadCheckpoint(
  place: StagePlace,
  slot: number,
  unusable: UnusableSnapshot[],
): Promise<Checkpoint | null> {
  const key = place.snapshotPrefix + slotKey(slot);
  const bytes = await place.store.get(key);
  if (bytes === null) {
    unusable.push({ key, why: "it is missing" });
    return null;
  }
  const reading = readCheckpoint(bytes, { app: place.app, stage: place.stage, slot });
  if (reading.kind === "whole") return reading.checkpoint;
  if (reading.kind === "too-new") throw stateTooNew(place.store, key, reading.requires);
  unusable.push({ key, why: reading.why });
  return null;
}
