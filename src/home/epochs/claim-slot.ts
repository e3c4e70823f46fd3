import type { LogRecord } from "../../model/record.ts";
import { commitSlot } from "../log/commit-slot.ts";
import { encodeFrame } from "../log/frame.ts";
import { newestSlot } from "../log/read-stage.ts";
import { slotKey } from "../log/slot-key.ts";
import { type StageAccess, timestamp } from "./stage-access.ts";

export interface Claim {
  /** The head that the frame goes behind. */
  readonly behind: { readonly slot: number; readonly hash: string };
  readonly epoch: number;
  /** Slot of the frame that begins the epoch. */
  readonly start: number;
  readonly writer: string;
  readonly record: LogRecord;
  readonly signal: AbortSignal;
}

/**
 * Writes the first frame of a writer behind a head that it has read.
 *
 * @returns the frame's place, or null when another frame is behind that head
 */
export async function claimSlot(
  access: StageAccess,
  claim: Claim,
): Promise<{ readonly slot: number; readonly hash: string } | null> {
  const { place, clock } = access;
  const { epoch, start, writer, behind, record, signal } = claim;
  const slot = behind.slot + 1;
  const at = timestamp(clock);
  const header = { slot, epoch, start, writer, previous: behind.hash, at };
  const { bytes, hash } = encodeFrame(header, [JSON.stringify(record)]);
  const key = place.logPrefix + slotKey(slot);
  if ((await commitSlot(place.store, key, bytes, clock, signal)) === "taken") return null;
  // A writer that slept until its slot was pruned gets it, below frames that have been written since.
  return (await newestSlot(place)) === slot ? { slot, hash } : null;
}
