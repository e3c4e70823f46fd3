/** Time, as engine and home see it. Nothing in those folders asks the operating system. */
export interface Clock {
  /** Wall clock, milliseconds since 1970-01-01T00:00:00Z. May jump. Only for display and records. */
  now(): number;
  /** Monotonic clock, milliseconds from an arbitrary start. For every wait and bound. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness, as engine and home see it. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array;
}
