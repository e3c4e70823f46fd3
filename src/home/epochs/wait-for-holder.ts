import type { BeginOptions, Head, Holder } from "../journal.ts";
import { newestSlot, readStage } from "../log/read-stage.ts";
import type { StageAccess } from "./stage-access.ts";
import { stageLocked } from "./stage-locked.ts";

/** How often a holder shows that it lives. */
export const BEAT_MS = 20_000;
/** Three beats and a margin: a holder that has written nothing for so long is taken for dead. */
export const SILENCE_MS = 65_000;
/** How often a waiter looks. */
const POLL_MS = 1_000;

/** A head that is held. */
export type HeldHead = Head & { readonly holder: Holder };

/**
 * Waits until the stage may be taken from its holder.
 *
 * Silence is measured on this process's monotonic clock and only as far as it was watched: a look that comes late,
 * because the machine slept, counts as two ordinary ones. A holder whose last record is older than the silence by the
 * wall clock is watched even where the caller does not want to wait, since no live holder is so late.
 *
 * @returns "silent" when the head has not moved and its holder may be overtaken; "moved" when it has and is free
 * @throws DiagnosticError `STAGE_LOCKED` (exit 3) naming the holder; the signal's reason
 */
export async function waitForHolder(
  access: StageAccess,
  head: HeldHead,
  options: Pick<BeginOptions, "lockTimeoutMs" | "signal" | "onWait">,
): Promise<"silent" | "moved"> {
  const { place, clock, liveness } = access;
  const startMs = clock.monotonicMs();
  let held = head;
  let patienceMs = Math.max(options.lockTimeoutMs, proofMs(access, head.holder));
  let silenceMs = 0;
  let lastLookMs = startMs;
  for (;;) {
    if (liveness.check(held.holder.owner) === "dead") break;
    if ((await newestSlot(place)) !== held.slot) {
      const { head: moved } = await readStage(place);
      if (moved.holder === null) return "moved";
      held = { ...moved, holder: moved.holder };
      patienceMs = options.lockTimeoutMs;
      silenceMs = 0;
    }
    if (silenceMs >= SILENCE_MS) break;
    const waitedMs = clock.monotonicMs() - startMs;
    if (waitedMs >= patienceMs) throw stageLocked(place, held.holder);
    options.onWait?.(held.holder, waitedMs);
    await clock.sleep(Math.min(POLL_MS, patienceMs - waitedMs), options.signal);
    silenceMs += Math.min(clock.monotonicMs() - lastLookMs, 2 * POLL_MS);
    lastLookMs = clock.monotonicMs();
  }
  return held.slot === head.slot ? "silent" : "moved";
}

/** How long it takes to prove that a holder which seems to have ended has; 0 for one that seems to live. */
function proofMs(access: StageAccess, holder: Holder): number {
  const { clock, liveness } = access;
  if (liveness.check(holder.owner) === "alive") return 0;
  const ageMs = clock.now() - Date.parse(holder.lastSeen);
  return ageMs > SILENCE_MS ? SILENCE_MS + 10 * POLL_MS : 0;
}
