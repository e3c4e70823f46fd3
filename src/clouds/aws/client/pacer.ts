import type { Clock } from "../../../model/world.ts";

/** How often something may be called: steadily, and at once after a rest. */
export interface Pace {
  readonly perSecond: number;
  readonly burst: number;
}

/** Lets calls go at a pace, in the order they came (the generic cell rate algorithm). */
export class Pacer {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #clock: Clock;
  /** When the next call would go if calls had always come at the steady pace. */
  #dueMs = 0;

  constructor({ perSecond, burst }: Pace, clock: Clock) {
    this.#intervalMs = 1_000 / perSecond;
    this.#burstMs = (burst - 1) * this.#intervalMs;
    this.#clock = clock;
  }

  /** Resolves when the caller's turn has come. */
  async turn(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const dueMs = Math.max(this.#dueMs, nowMs);
    this.#dueMs = dueMs + this.#intervalMs;
    const waitMs = dueMs - this.#burstMs - nowMs;
    if (waitMs > 0) await this.#clock.sleep(waitMs);
  }
}
