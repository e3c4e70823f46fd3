/**
 * The four verbs everything durable is built on. Keys are `/`-separated, of `[A-Za-z0-9._=-]` and at most 900 bytes;
 * values at most 64 MiB. A value, once created, never changes until it is deleted.
 */
export interface Store {
  /** Where this is, for people: a folder or a bucket. */
  readonly location: string;
  /** Null when there is no such key. */
  get(key: string): Promise<Uint8Array | null>;
  /** Keys that start with `prefix` and sort after `after`, ascending by code unit, at most `limit`. */
  list(prefix: string, limit: number, after?: string): Promise<readonly string[]>;
  /**
   * Creates the key. When it resolves, the value survives a power cut. Rejects with {@link UnknownOutcome} where the
   * store cannot tell whether the value was created; the log then reads the key back.
   */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<"created" | "exists">;
  /** No error when there is no such key. Only pruning and removal of a stage's leftovers use it. */
  delete(key: string): Promise<void>;
}

/** A write whose answer was lost: it may or may not have been applied, now or a little later. */
export class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}
