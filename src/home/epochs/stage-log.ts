import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type {
  BeginOptions,
  Epoch,
  EpochSummary,
  Head,
  StageLog,
  StageReading,
} from "../journal.ts";
import type { StageState } from "../log/chain-walk.ts";
import { loadFrame, readStage, readUpTo } from "../log/read-stage.ts";
import type { EpochStart } from "../log/snapshot-file.ts";
import { claimSlot } from "./claim-slot.ts";
import { HeldEpoch } from "./held-epoch.ts";
import { readHistory } from "./history.ts";
import { pruneStage } from "./prune.ts";
import { randomId, type StageAccess, timestamp } from "./stage-access.ts";
import { unlockStage } from "./unlock.ts";
import { type HeldHead, waitForHolder } from "./wait-for-holder.ts";

/** One stage's log in a store. */
export class StoredStageLog implements StageLog {
  readonly app: string;
  readonly stage: string;
  readonly #access: StageAccess;
  /** What was read last; spares reading the same again. */
  #latest: StageState | null = null;

  constructor(access: StageAccess) {
    this.app = access.place.app;
    this.stage = access.place.stage;
    this.#access = access;
  }

  async read(): Promise<StageReading> {
    const { snapshot, head, notes } = await this.#read();
    return { snapshot, head, notes };
  }

  async begin(head: Head, options: BeginOptions): Promise<Epoch | "moved"> {
    const base = await this.#stateAt(head);
    if (base === null) return this.#afterLostRace(options);
    if (isHeld(head) && (await waitForHolder(this.#access, head, options)) === "moved")
      return "moved";
    const start = this.#startRecord(base, options);
    const writer = randomId(this.#access.random);
    const at = await claimSlot(this.#access, {
      behind: head,
      epoch: start.epoch,
      start: head.slot + 1,
      writer,
      record: start,
      signal: options.signal,
    });
    if (at === null) return this.#afterLostRace(options);
    this.#latest = null;
    return new HeldEpoch(this.#access, { base: base.snapshot, start, at, writer });
  }

  unlock(options: BeginOptions & { readonly force: boolean }): Promise<"unlocked" | "not-locked"> {
    return unlockStage(this.#access, options);
  }

  history(limit: number): Promise<readonly EpochSummary[]> {
    return readHistory(this.#access.place, limit);
  }

  async at(serial: number): Promise<Snapshot> {
    const { place } = this.#access;
    const frame = serial < 1 ? null : (await loadFrame(place, serial)).frame;
    if (frame?.records.at(-1)?.kind === "epoch-end")
      return (await readUpTo(place, serial)).snapshot;
    throw fail("SERIAL_UNKNOWN", `Stage ${this.stage} of ${this.app} has no serial ${serial}`, {
      why: "No deploy ended with it, or it is so old that it was pruned.",
      hint: "The history of the stage lists the serials that can be had.",
      exit: EXIT.usage,
    });
  }

  prune(): Promise<void> {
    return pruneStage(this.#access.place);
  }

  async #read(): Promise<StageState> {
    this.#latest = await readStage(this.#access.place, this.#latest);
    return this.#latest;
  }

  /** The state at `head`, or null when the log has another head by now. */
  async #stateAt(head: Head): Promise<StageState | null> {
    const latest = this.#latest;
    if (latest !== null && isSame(latest.head, head)) return latest;
    const now = await this.#read();
    return isSame(now.head, head) ? now : null;
  }

  /** Another writer was first. While it lives the stage is locked; after that everything is to be read anew. */
  async #afterLostRace(options: BeginOptions): Promise<"moved"> {
    const { head } = await this.#read();
    if (isHeld(head)) await waitForHolder(this.#access, head, options);
    return "moved";
  }

  #startRecord(base: StageState, options: BeginOptions): EpochStart {
    const { random, clock } = this.#access;
    return {
      kind: "epoch-start",
      epoch: base.head.epoch + 1,
      owner: options.owner,
      command: options.command,
      lineage: base.snapshot.lineage === "" ? randomId(random) : base.snapshot.lineage,
      version: options.version,
      at: timestamp(clock),
    };
  }
}

function isHeld(head: Head): head is HeldHead {
  return head.holder !== null;
}

function isSame(left: Head, right: Head): boolean {
  return left.slot === right.slot && left.hash === right.hash;
}
