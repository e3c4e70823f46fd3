import type { EpochStatus, LogRecord } from "../../model/record.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Epoch } from "../journal.ts";
import { FrameWriter } from "../log/frame-writer.ts";
import { Replay } from "../log/replay.ts";
import type { EpochStart } from "../log/snapshot-file.ts";
import type { StageAccess } from "./stage-access.ts";
import { timestamp } from "./stage-access.ts";
import { stageFenced } from "./stage-locked.ts";
import { BEAT_MS } from "./wait-for-holder.ts";
import { endRecord, writeCheckpoint } from "./write-checkpoint.ts";

export interface HeldEpochOptions {
  /** State before the start of this epoch. */
  readonly base: Snapshot;
  readonly start: EpochStart;
  /** The frame that holds `start`. */
  readonly at: { readonly slot: number; readonly hash: string };
  readonly writer: string;
}

/** An epoch held by this process, from its start to its end. */
export class HeldEpoch implements Epoch {
  readonly epoch: number;
  readonly #access: StageAccess;
  readonly #opening: { readonly start: number; readonly open: EpochStart };
  readonly #writer: FrameWriter;
  readonly #replay: Replay;
  /** Open as soon as they are queued, so that a record that fits nothing is refused before it is written. */
  readonly #openIntents: Set<string>;
  readonly #stopBeats = new AbortController();
  #ending: Promise<void> | null = null;

  constructor(access: StageAccess, options: HeldEpochOptions) {
    const { start, at, base, writer } = options;
    this.epoch = start.epoch;
    this.#access = access;
    this.#opening = { start: at.slot, open: start };
    this.#replay = new Replay(base);
    this.#replay.apply(at.slot, [start]);
    this.#openIntents = new Set(base.openIntents.map((intent) => intent.id));
    this.#writer = new FrameWriter({
      store: access.place.store,
      prefix: access.place.logPrefix,
      clock: access.clock,
      writer,
      epoch: start.epoch,
      start: at.slot,
      behind: at,
      fenced: () => stageFenced(access.place),
      onCommitted: (slot, records) => this.#replay.apply(slot, records),
    });
    void this.#beat();
  }

  get signal(): AbortSignal {
    return this.#writer.signal;
  }

  snapshot(): Snapshot {
    return this.#replay.snapshot();
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    if (this.#ending !== null) throw new Error("append to an epoch that is ending");
    if (!this.signal.aborted) this.#check(records);
    await this.#writer.append(records);
  }

  end(status: EpochStatus): Promise<void> {
    this.#ending ??= this.#end(status);
    return this.#ending;
  }

  async #end(status: EpochStatus): Promise<void> {
    this.#stopBeats.abort();
    try {
      await this.#writer.settled();
      this.signal.throwIfAborted();
      const snapshot = await this.#checkpoint();
      await this.#writer.append([endRecord(status, snapshot, this.snapshot(), this.#access.clock)]);
    } finally {
      this.#writer.close(new Error("the epoch has ended"));
    }
  }

  /** Writes the snapshot of the head. Where something unreadable has that slot, the head is moved on by a beat. */
  async #checkpoint(): Promise<number> {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { hash } = this.#writer.head;
      const snapshot = this.snapshot();
      const checkpoint = { snapshot, hash, epoch: this.epoch, ...this.#opening };
      const slot = await writeCheckpoint(this.#access, checkpoint, this.signal);
      if (slot !== null) return slot;
      await this.#writer.append([{ kind: "beat", at: timestamp(this.#access.clock) }]);
    }
    return 0;
  }

  #check(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.kind === "epoch-start" || record.kind === "epoch-end")
        throw new Error(`${record.kind} is not for callers to append`);
      if (record.kind === "intent") {
        if (this.#openIntents.has(record.intent.id))
          throw new Error(`intent ${record.intent.id} is begun twice`);
        this.#openIntents.add(record.intent.id);
      }
      if (record.kind === "outcome" && !this.#openIntents.delete(record.intent))
        throw new Error(`outcome of ${record.intent}, which is not open`);
    }
  }

  /** Shows that this process lives whenever it has written nothing for a while. */
  async #beat(): Promise<void> {
    const { clock } = this.#access;
    const stop = AbortSignal.any([this.#stopBeats.signal, this.signal]);
    try {
      while (!stop.aborted) {
        const quietMs = clock.monotonicMs() - this.#writer.lastCommitMs;
        if (quietMs < BEAT_MS) await clock.sleep(BEAT_MS - quietMs, stop);
        else await this.#writer.append([{ kind: "beat", at: timestamp(clock) }]);
      }
    } catch {
      // Either the epoch is ending, or the writer has failed: then its signal says so to everybody who works.
    }
  }
}
