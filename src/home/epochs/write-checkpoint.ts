import type { EpochStatus, LogRecord } from "../../model/record.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Clock } from "../../model/world.ts";
import { commitSlot } from "../log/commit-slot.ts";
import { slotKey } from "../log/slot-key.ts";
import { type Checkpoint, encodeCheckpoint, readCheckpoint } from "../log/snapshot-file.ts";
import { type StageAccess, timestamp } from "./stage-access.ts";

/** What a store takes at most; a larger state is read from its frames. */
const VALUE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Writes the snapshot of the frame that the state ends with.
 *
 * @returns its slot; 0 when it is too large for a store; null when something unreadable has its place
 */
export async function writeCheckpoint(
  access: StageAccess,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<number | null> {
  const { place, clock } = access;
  const slot = checkpoint.snapshot.serial;
  const { bytes } = encodeCheckpoint(checkpoint);
  if (bytes.length > VALUE_BYTES_MAX) return 0;
  const key = place.snapshotPrefix + slotKey(slot);
  if ((await commitSlot(place.store, key, bytes, clock, signal)) === "ours") return slot;
  const present = await place.store.get(key);
  if (present === null) return null;
  const { app, stage } = place;
  const reading = readCheckpoint(present, { app, stage, slot });
  // Whoever wrote it, the state after a frame is one and the same.
  const same = reading.kind === "whole" && reading.checkpoint.hash === checkpoint.hash;
  return same ? slot : null;
}

/** The record that ends an epoch. */
export function endRecord(
  status: EpochStatus,
  snapshotSlot: number,
  state: Snapshot,
  clock: Clock,
): LogRecord {
  const retained = state.resources.filter((resource) => resource.status === "retained").length;
  return {
    kind: "epoch-end",
    status,
    snapshot: snapshotSlot,
    resources: state.resources.length - retained,
    retained,
    secrets: state.facts?.secrets ?? null,
    at: timestamp(clock),
  };
}
