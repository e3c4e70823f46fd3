import type { Clock } from "../model/world.ts";

interface Sleeper {
  readonly wakeMs: number;
  readonly wake: () => void;
}

/** More than any bound of ours adds up to; a simulation that gets here waits for something that never happens. */
const HORIZON_MS = 30 * 24 * 3_600_000;

/**
 * Time that passes only when nobody has anything else to do, and then jumps to the next one who waits. It relies on
 * everything simulated being done in microtasks.
 */
export class SimulatedTime {
  readonly #sleepers = new Set<Sleeper>();
  #nowMs: number;
  #isScheduled = false;
  #stuck: () => void = () => {};
  /** Rejects when simulated time has run away. */
  readonly runaway: Promise<never> = new Promise((_, reject) => {
    this.#stuck = () => reject(new Error("the simulation waits for something that never happens"));
  });

  constructor(startMs = 1_000_000) {
    this.#nowMs = startMs;
    this.runaway.catch(() => {});
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** @returns a function that ends the sleep without waking */
  sleep(ms: number, wake: () => void): () => void {
    const sleeper = { wakeMs: this.#nowMs + Math.max(0, ms), wake };
    this.#sleepers.add(sleeper);
    this.#schedule();
    return () => this.#sleepers.delete(sleeper);
  }

  /** Lets time pass at once, as when a machine slept; sleepers that are due wake next. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#advance();
    });
  }

  #advance(): void {
    let next: Sleeper | null = null;
    for (const sleeper of this.#sleepers) {
      if (next === null || sleeper.wakeMs < next.wakeMs) next = sleeper;
    }
    if (next === null) return;
    this.#sleepers.delete(next);
    this.#nowMs = Math.max(this.#nowMs, next.wakeMs);
    if (this.#nowMs > HORIZON_MS) {
      this.#stuck();
      return;
    }
    next.wake();
    if (this.#sleepers.size > 0) this.#schedule();
  }
}

/** One process's clock. Its wall clock may be off; once the process is dead, none of its sleeps ever ends. */
export class SimulatedClock implements Clock {
  readonly #time: SimulatedTime;
  readonly #offsetMs: number;
  readonly #cancels = new Set<() => void>();
  #isStopped = false;

  constructor(time: SimulatedTime, offsetMs = 0) {
    this.#time = time;
    this.#offsetMs = offsetMs;
  }

  now(): number {
    return Date.parse("2026-01-01T00:00:00Z") + this.#time.nowMs + this.#offsetMs;
  }

  monotonicMs(): number {
    return this.#time.nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) return;
      if (signal?.aborted) return reject(signal.reason);
      const done = new AbortController();
      const cancel = this.#time.sleep(ms, () => {
        this.#cancels.delete(cancel);
        done.abort(null);
        resolve();
      });
      this.#cancels.add(cancel);
      const abort = (): void => {
        cancel();
        this.#cancels.delete(cancel);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true, signal: done.signal });
    });
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
