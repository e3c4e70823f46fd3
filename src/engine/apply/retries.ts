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
   * @returns false, at once or after the wait, when there is to be no next try
   */
  async pause(afterMs: number): Promise<boolean> {
    const { clock, random, limits, cut, stop } = this.#world;
    if (this.#attempts >= limits.attemptsMax || stop.aborted || cut.aborted) return false;
    const ceilingMs = limits.backoffFirstMs * 2 ** (this.#attempts - 1);
    const jitterMs = fraction(random) * Math.min(ceilingMs, limits.backoffMaxMs);
    const delayMs = Math.max(afterMs, jitterMs);
    const spentMs = clock.monotonicMs() - this.#startedMs;
    if (spentMs + delayMs > limits.retryTimeMaxMs) return false;
    this.#attempts += 1;
    await sleepUnless(clock.sleep.bind(clock), delayMs, [cut, stop]);
    return !stop.aborted && !cut.aborted;
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
