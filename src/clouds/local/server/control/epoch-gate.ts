import { Refusal } from "./refusal.ts";

/** An epoch of one stage's log, as a request names it. */
export interface StageEpoch {
  /** Identity of the stage; another one begins to count anew. */
  readonly lineage: string;
  readonly number: number;
}

/**
 * Keeps what a process sends that slept while another took its stage over from being done. The log alone cannot: such
 * a process finds out at its next record, and what it was about to send when it fell asleep it sends first.
 *
 * Kept in memory. A server that is replaced in between knows nothing of earlier epochs, and neither does it have their
 * connections.
 */
export interface EpochGate {
  /**
   * Acts when nothing of an earlier epoch is under way any more; for a request that names no epoch at once.
   *
   * @throws Refusal 409 when a later epoch has been seen
   */
  pass<T>(stageKey: string, epoch: StageEpoch | null, act: () => Promise<T>): Promise<T>;
}

/** The newest epoch of a stage. */
interface Newest extends StageEpoch {
  readonly underWay: Set<Promise<unknown>>;
  /** Resolves when what earlier epochs had under way is over. */
  readonly earlierDone: Promise<unknown>;
}

export function createEpochGate(): EpochGate {
  const newest = new Map<string, Newest>();

  function admit(stageKey: string, epoch: StageEpoch): Newest {
    const known = newest.get(stageKey);
    if (known?.lineage === epoch.lineage) {
      if (epoch.number < known.number) throw overtaken();
      if (epoch.number === known.number) return known;
    }
    const before = known === undefined ? [] : [known.earlierDone, ...known.underWay];
    const admitted = {
      ...epoch,
      underWay: new Set<never>(),
      earlierDone: Promise.allSettled(before),
    };
    newest.set(stageKey, admitted);
    return admitted;
  }

  return {
    pass: async (stageKey, epoch, act) => {
      if (epoch === null) return act();
      const admitted = admit(stageKey, epoch);
      await admitted.earlierDone;
      if (newest.get(stageKey) !== admitted) throw overtaken();
      const acting = act();
      admitted.underWay.add(acting);
      return acting.finally(() => admitted.underWay.delete(acting));
    },
  };
}

const EPOCH = /^([0-9a-z-]{1,64})\.(\d{1,15})$/;

/** Reads the header `scrim-epoch`; null where there is none. @throws Refusal 400 */
export function parseEpoch(header: string | readonly string[] | undefined): StageEpoch | null {
  if (header === undefined) return null;
  const match = EPOCH.exec(String(header));
  if (match === null) {
    throw new Refusal(400, "LOCAL_EPOCH_INVALID", "The header scrim-epoch cannot be read");
  }
  return { lineage: match[1] ?? "", number: Number(match[2]) };
}

function overtaken(): Refusal {
  return new Refusal(
    409,
    "LOCAL_OVERTAKEN",
    "Another process has taken the stage over, so nothing was changed",
    { hint: "Run the command again; it finds what was begun and finishes it." },
  );
}
