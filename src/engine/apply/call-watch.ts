import type { Clock } from "../../model/world.ts";

interface WatchedCall {
  readonly endsAtMs: number;
  readonly giveUp: (reason: Error) => void;
}

/** How often in the time of one call the watch looks; a call may take this fraction of it longer. */
const LOOKS_PER_CALL = 10;

/** Bounds calls in time: one timer for all that are under way, because one for each costs more than most calls. */
export class CallWatch {
  readonly #clock: Clock;
  readonly #callTimeMaxMs: number;
  readonly #calls = new Set<WatchedCall>();
  #looking: AbortController | null = null;

  /** @param cut gives up every call under way when it is aborted */
  constructor(clock: Clock, callTimeMaxMs: number, cut: AbortSignal) {
    this.#clock = clock;
    this.#callTimeMaxMs = callTimeMaxMs;
    const reason = new Error("The stage was taken over");
    cut.addEventListener("abort", () => this.#giveUp(() => true, reason), { once: true });
  }

  /**
   * Runs a call that is told by its signal when it is given up.
   *
   * @throws what the call rejects with, or Error when it takes too long or the epoch ends under it
   */
  run<Result>(invoke: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const given = new AbortController();
    return new Promise((resolve, reject) => {
      const answer = invoke(given.signal);
      const watched = this.#watch((reason) => {
        this.#leave(watched);
        reject(reason);
        given.abort(reason);
      });
      answer.then(
        (result) => {
          this.#leave(watched);
          resolve(result);
        },
        (error: unknown) => {
          this.#leave(watched);
          reject(error);
        },
      );
    });
  }

  #watch(giveUp: WatchedCall["giveUp"]): WatchedCall {
    const watched = { endsAtMs: this.#clock.monotonicMs() + this.#callTimeMaxMs, giveUp };
    this.#calls.add(watched);
    if (this.#looking === null) {
      this.#looking = new AbortController();
      void this.#look(this.#looking.signal);
    }
    return watched;
  }

  #leave(watched: WatchedCall): void {
    if (!this.#calls.delete(watched) || this.#calls.size > 0) return;
    // With a reason of our own: the default one is an error with a stack.
    this.#looking?.abort(null);
    this.#looking = null;
  }

  async #look(idle: AbortSignal): Promise<void> {
    const reason = new Error(`No answer within ${this.#callTimeMaxMs / 1000} s`);
    while (!idle.aborted) {
      try {
        await this.#clock.sleep(this.#callTimeMaxMs / LOOKS_PER_CALL, idle);
      } catch {
        return;
      }
      const nowMs = this.#clock.monotonicMs();
      this.#giveUp(({ endsAtMs }) => endsAtMs <= nowMs, reason);
    }
  }

  #giveUp(isDue: (call: WatchedCall) => boolean, reason: Error): void {
    for (const call of this.#calls) if (isDue(call)) call.giveUp(reason);
  }
}
