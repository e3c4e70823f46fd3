/** The bounds of everything that waits or tries again. */
export interface Limits {
  /** Steps in flight at once. */
  readonly concurrency: number;
  /** Tries of one call, the first included. */
  readonly attemptsMax: number;
  /** Time that the tries of one call may take together. */
  readonly retryTimeMaxMs: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** One call; what takes longer has an unknown outcome. */
  readonly callTimeMaxMs: number;
  /** From an accepted call until the resource is ready, or gone. */
  readonly readyTimeMaxMs: number;
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
}

/**
 * Concurrency: with 40, records share a frame so well that more gains little. Backoff: full jitter from 100 ms to 20 s.
 * Ready time: the slowest resources that clouds make (distributions) take a quarter of an hour.
 */
export const LIMITS: Limits = {
  concurrency: 40,
  attemptsMax: 10,
  retryTimeMaxMs: 5 * 60_000,
  backoffFirstMs: 100,
  backoffMaxMs: 20_000,
  callTimeMaxMs: 10 * 60_000,
  readyTimeMaxMs: 30 * 60_000,
  pollMinMs: 50,
  pollMaxMs: 30_000,
};
