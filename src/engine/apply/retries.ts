import type { Random } from "../../model/world.ts";
import type { CallWorld } from "./work.ts";

/** Counts the tries of one call and pauses between them: full jitter, bounded in number and in time. */
export class Retries {
  readonly #world: CallWorld;
  readonly #startedMs: number;
  #attempts = 1;

  constructor(world: CallWorld) {
    this.#world = world;
    this.#startedMs = world.clock.monotonicMs();
  }

  /**
   * Waits before the next try, at least `afterMs`.
   *
   * @param lastsMs bounds the tries by the time since the first instead of by their number
   * @returns false, at once or after the wait, when there is to be no next try
   */
  async pause(afterMs: number, lastsMs?: number): Promise<boolean> {
    const { clock, limits, cut, stop } = this.#world;
    if (stop.aborted || cut.aborted) return false;
    if (lastsMs === undefined && this.#attempts >= limits.attemptsMax) return false;
    const delayMs = lastsMs === undefined ? this.#growingMs(afterMs) : this.#steadyMs(afterMs);
    if (this.elapsedMs() + delayMs > (lastsMs ?? limits.retryTimeMaxMs)) return false;
    if (lastsMs === undefined) this.#attempts += 1;
    await sleepUnless(clock.sleep.bind(clock), delayMs, [cut, stop]);
    return !stop.aborted && !cut.aborted;
  }

  /** Since the first try began. */
  elapsedMs(): number {
    return this.#world.clock.monotonicMs() - this.#startedMs;
  }

  #growingMs(afterMs: number): number {
    const { random, limits } = this.#world;
    const ceilingMs = limits.backoffFirstMs * 2 ** (this.#attempts - 1);
    return Math.max(afterMs, fraction(random) * Math.min(ceilingMs, limits.backoffMaxMs));
  }

  /** Up to a quarter more than asked for, so that many that wait for the same do not call at once. */
  #steadyMs(afterMs: number): number {
    const { random, limits } = this.#world;
    return Math.max(afterMs, limits.pollMinMs) * (1 + fraction(random) / 4);
  }
}

/** A number from 0 up to, but not including, 1. */
function fraction(random: Random): number {
  const [a = 0, b = 0, c = 0] = random.bytes(3);
  return (a * 65_536 + b * 256 + c) / 16_777_216;
}

/** Sleeps until the time is over or one of the signals is aborted. */
export async function sleepUnless(
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  ms: number,
  signals: readonly AbortSignal[],
): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return;
  const wake = new AbortController();
  const done = new AbortController();
  for (const signal of signals) {
    signal.addEventListener("abort", () => wake.abort(null), { once: true, signal: done.signal });
  }
  try {
    await sleep(ms, wake.signal);
  } catch (error) {
    if (!wake.signal.aborted) throw error;
  } finally {
    done.abort(null);
  }
}
