/** Spaces out starts of a runner that keeps ending by itself. */
export interface CrashPause {
  /** A runner ended unasked, `livedMs` after its start. */
  crashed(livedMs: number): void;
  /** How long to wait before the next start; 0 when it may be now. */
  waitMs(): number;
}

/** One crash may be a handler's bad luck: the next request starts a runner at once. */
const FREE_CRASHES = 2;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 5_000;

/** A runner that lived this long was healthy, so its crash counts as a first one. */
const HEALTHY_MS = 10_000;

/** `monotonicMs` is a clock that never goes back. */
export function createCrashPause(monotonicMs: () => number): CrashPause {
  let crashes = 0;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  return {
    crashed(livedMs) {
      crashes = livedMs >= HEALTHY_MS ? 1 : crashes + 1;
      if (crashes <= FREE_CRASHES) return;
      const exponent = Math.min(crashes - FREE_CRASHES - 1, 10);
      notBeforeMs = monotonicMs() + Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** exponent);
    },
    waitMs: () => Math.max(0, notBeforeMs - monotonicMs()),
  };
}
