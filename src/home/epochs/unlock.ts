import { EXIT, fail } from "../../model/diagnostic.ts";
import type { BeginOptions, Holder } from "../journal.ts";
import { readStage } from "../log/read-stage.ts";
import type { StagePlace } from "../log/stage-place.ts";
import { claimSlot } from "./claim-slot.ts";
import { randomId, type StageAccess } from "./stage-access.ts";
import { stageLocked } from "./stage-locked.ts";
import { SILENCE_MS } from "./wait-for-holder.ts";
import { endRecord, writeCheckpoint } from "./write-checkpoint.ts";

/** A holder that goes on writing moves the head; with force it is tried again this often. */
const ATTEMPTS_MAX = 20;

/**
 * Ends the epoch of another holder by appending its end. Every open intent stays open, so nothing is forgotten.
 *
 * @throws DiagnosticError `STAGE_LOCKED` (exit 3) when the holder lives and `force` is not set
 */
export async function unlockStage(
  access: StageAccess,
  options: BeginOptions & { readonly force: boolean },
): Promise<"unlocked" | "not-locked"> {
  const { place, clock, random } = access;
  const writer = randomId(random);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    options.signal.throwIfAborted();
    const { head, snapshot, open, start } = await readStage(place);
    if (head.holder === null) return "not-locked";
    if (!options.force && seemsAlive(access, head.holder)) throw stillHeld(place, head.holder);
    const checkpoint = { snapshot, hash: head.hash, epoch: head.epoch, start, open };
    const snapshotSlot = (await writeCheckpoint(access, checkpoint, options.signal)) ?? 0;
    const claimed = await claimSlot(access, {
      behind: head,
      epoch: head.epoch,
      start,
      writer,
      record: endRecord("forced", snapshotSlot, snapshot, clock),
      signal: options.signal,
    });
    if (claimed !== null) return "unlocked";
  }
  throw fail("STAGE_LOCKED", `Stage ${place.stage} of ${place.app} could not be unlocked`, {
    why: `Its holder wrote faster than its epoch could be ended, ${ATTEMPTS_MAX} times.`,
    hint: "Stop the holder first.",
    exit: EXIT.locked,
  });
}

function stillHeld(place: StagePlace, holder: Holder): Error {
  const hint =
    "It seems to be at work. Wait for it or stop it; where that cannot be, " +
    `scrim unlock --stage ${place.stage} --force ends its hold, and it records nothing more.`;
  return stageLocked(place, holder, hint);
}

/** Provably, or because it wrote a moment ago: a holder on another machine beats more often than this. */
function seemsAlive(access: StageAccess, holder: Holder): boolean {
  const verdict = access.liveness.check(holder.owner);
  if (verdict !== "unknown") return verdict === "alive";
  return Math.abs(access.clock.now() - Date.parse(holder.lastSeen)) < SILENCE_MS;
}
