import { setMaxListeners } from "node:events";
import type { LogRecord } from "../../model/record.ts";
import type { Clock } from "../../model/world.ts";
import type { Store } from "../store.ts";
import { commitSlot } from "./commit-slot.ts";
import { encodeFrame } from "./frame.ts";
import { slotKey } from "./slot-key.ts";

/** A frame is closed when it holds this much; one append's records are never split. */
const FRAME_BYTES_MAX = 1024 * 1024;

export interface FrameWriterOptions {
  readonly store: Store;
  /** Where the frames are, ending in `/`. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly writer: string;
  readonly epoch: number;
  /** Slot of the frame that began the epoch. */
  readonly start: number;
  /** The newest frame, behind which this writer goes on. */
  readonly behind: { readonly slot: number; readonly hash: string };
  /** The error for a slot that another writer took. */
  readonly fenced: () => Error;
  /** Told of the records of every frame, in order, before the appends that brought them resolve. */
  readonly onCommitted: (slot: number, records: readonly LogRecord[]) => void;
}

interface Waiting {
  readonly records: readonly LogRecord[];
  readonly texts: readonly string[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The one writer of an epoch's frames. Records that are appended while a frame is on its way wait together for the
 * next one. The first failure ends it: what was queued and what comes later is rejected with the same error.
 */
export class FrameWriter {
  readonly #options: FrameWriterOptions;
  readonly #stop = new AbortController();
  #queue: Waiting[] = [];
  #pump: Promise<void> | null = null;
  #slot: number;
  #hash: string;
  #lastCommitMs: number;

  constructor(options: FrameWriterOptions) {
    this.#options = options;
    this.#slot = options.behind.slot;
    this.#hash = options.behind.hash;
    this.#lastCommitMs = options.clock.monotonicMs();
    // Every call in flight listens, and Node.js takes more than ten for a leak.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Aborted, with the reason, once nothing can be written any more. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The newest frame. */
  get head(): { readonly slot: number; readonly hash: string } {
    return { slot: this.#slot, hash: this.#hash };
  }

  /** When the newest frame was written, on the monotonic clock. */
  get lastCommitMs(): number {
    return this.#lastCommitMs;
  }

  /** Resolves when the records are durable; see {@link Journal.append}. */
  append(records: readonly LogRecord[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason);
      if (records.length === 0) return resolve();
      const texts = records.map((record) => JSON.stringify(record));
      const bytes = texts.reduce((sum, text) => sum + text.length, 0);
      this.#queue.push({ records, texts, bytes, resolve, reject });
      this.#pump ??= this.#run();
    });
  }

  /** Resolves when nothing is queued or on its way, whether or not it was written. */
  async settled(): Promise<void> {
    await this.#pump;
  }

  /** Rejects what is queued and everything that comes. */
  close(reason: unknown): void {
    this.#stop.abort(reason);
    for (const waiting of this.#queue.splice(0)) waiting.reject(this.signal.reason);
  }

  async #run(): Promise<void> {
    // One hop, so that appends made by the same turn of the event loop share a frame.
    await null;
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#commit(batch);
      } catch (error) {
        this.close(error);
        for (const waiting of batch) waiting.reject(error);
        break;
      }
      for (const waiting of batch) waiting.resolve();
      // The callers that were just told get to append before the next frame is closed.
      await null;
    }
    this.#pump = null;
  }

  #takeBatch(): readonly Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && bytes + waiting.bytes > FRAME_BYTES_MAX) break;
      bytes += waiting.bytes;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const { store, prefix, clock, writer, epoch, start } = this.#options;
    const slot = this.#slot + 1;
    const at = new Date(clock.now()).toISOString();
    const { bytes, hash } = encodeFrame(
      { slot, epoch, start, writer, previous: this.#hash, at },
      batch.flatMap((waiting) => waiting.texts),
    );
    const answer = await commitSlot(store, prefix + slotKey(slot), bytes, clock, this.signal);
    if (answer === "taken") throw this.#options.fenced();
    this.#slot = slot;
    this.#hash = hash;
    this.#lastCommitMs = clock.monotonicMs();
    this.#options.onCommitted(
      slot,
      batch.flatMap((waiting) => waiting.records),
    );
  }
}
