import { JwksUnavailable } from "../auth-error.ts";
import { type KeyList, keyIn, keyUnknown, readKeyList } from "./key-list.ts";
import { type SeenToken, SeenTokens } from "./seen-tokens.ts";
import type { UsableKey } from "./usable-key.ts";

/** A key that an issuer has taken back is used at most this long. */
const MAX_AGE_MS = 10 * 60_000;
/** While the key set cannot be fetched, the last one is used at most this long. */
const MAX_STALE_MS = 60 * 60_000;
/** Anyone can send tokens with unknown key ids; they may cause one fetch in this time. */
const UNKNOWN_KEY_PAUSE_MS = 30_000;
/** After a failed fetch; doubles with each further one. */
const FAILURE_PAUSE_MS = 1_000;
const FAILURE_PAUSE_MS_MAX = 30_000;

/** Outside of a key set: where its document comes from, and the time. */
export interface KeySource {
  /** Text of the key set document. @throws JwksUnavailable */
  fetch(): Promise<string>;
  /** Milliseconds since the epoch. A clock that goes back ends the age of what was fetched before. */
  nowMs(): number;
}

/** One fetched document. */
interface Fetched {
  readonly text: string;
  readonly list: KeyList;
  readonly atMs: number;
}

/**
 * The keys of one issuer, fetched when first needed, when they are old, and when a token names a key that is not
 * there. One fetch runs at a time, and everyone waits for it.
 */
export class KeySet {
  readonly #source: KeySource;
  readonly #seen = new SeenTokens();
  #fetched: Fetched | null = null;
  /** Until when `#fetched` is used without asking. */
  #freshUntilMs = 0;
  #failures = 0;
  #failedAtMs = 0;
  #missedAtMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | null = null;

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** A token that one of the present keys has signed; undefined when it is not remembered. */
  seen(token: string): SeenToken | undefined {
    return this.#fresh() === null ? undefined : this.#seen.get(token);
  }

  /**
   * Remembers a token that `key` has signed, unless the key has gone while that was found out.
   *
   * @returns what is remembered of it, which may be from someone who was faster
   */
  remember(token: string, key: UsableKey, seen: SeenToken): SeenToken {
    if (this.#fetched?.list.all.includes(key) !== true) return seen;
    const earlier = this.#seen.get(token);
    if (earlier !== undefined) return earlier;
    this.#seen.set(token, seen);
    return seen;
  }

  /** Drops a token that will not be accepted again. */
  forget(token: string): void {
    this.#seen.delete(token);
  }

  /** The key that a token means, if it is here and fresh. @throws InvalidToken KEY_UNKNOWN */
  known(keyId: string | undefined): UsableKey | undefined {
    const fetched = this.#fresh();
    return fetched === null ? undefined : keyIn(fetched.list, keyId);
  }

  /**
   * The key that a token means, fetching the key set where that may help.
   *
   * @throws InvalidToken KEY_UNKNOWN
   * @throws JwksUnavailable
   */
  async find(keyId: string | undefined): Promise<UsableKey> {
    const known = this.known(keyId);
    if (known !== undefined) return known;
    if (this.#fresh() !== null && this.#elapsedMs(this.#missedAtMs) < UNKNOWN_KEY_PAUSE_MS) {
      throw keyUnknown("The key set does not have the token's key id");
    }
    await this.#refresh();
    const found = keyIn(this.#usable().list, keyId);
    if (found !== undefined) return found;
    if (this.#failures > 0) throw new JwksUnavailable("The key may be new, but cannot be fetched");
    this.#missedAtMs = this.#source.nowMs();
    throw keyUnknown("The key set does not have the token's key id");
  }

  #fresh(): Fetched | null {
    const nowMs = this.#source.nowMs();
    const fetched = this.#fetched;
    return fetched !== null && nowMs < this.#freshUntilMs && nowMs >= fetched.atMs ? fetched : null;
  }

  /** What there is, if it is not too old. @throws JwksUnavailable */
  #usable(): Fetched {
    const fetched = this.#fetched;
    if (fetched === null || this.#elapsedMs(fetched.atMs) >= MAX_STALE_MS) {
      throw new JwksUnavailable("The key set could not be fetched a moment ago");
    }
    return fetched;
  }

  #refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    if (this.#failures > 0 && this.#elapsedMs(this.#failedAtMs) < this.#failurePauseMs()) return;
    try {
      this.#accept(await this.#source.fetch());
    } catch (error) {
      this.#failures += 1;
      this.#failedAtMs = this.#source.nowMs();
      this.#keepStale(error);
    }
  }

  #accept(text: string): void {
    const atMs = this.#source.nowMs();
    const isSame = this.#fetched?.text === text;
    const list = isSame && this.#fetched !== null ? this.#fetched.list : readKeyList(text);
    if (!isSame) this.#seen.clear();
    this.#fetched = { text, list, atMs };
    this.#freshUntilMs = atMs + MAX_AGE_MS;
    this.#failures = 0;
  }

  /** Goes on with the last key set until the next try. @throws the error when there is none, or it is too old */
  #keepStale(error: unknown): void {
    const fetched = this.#fetched;
    if (fetched === null || this.#elapsedMs(fetched.atMs) >= MAX_STALE_MS) throw error;
    this.#freshUntilMs = Math.min(
      Math.max(this.#freshUntilMs, this.#failedAtMs + this.#failurePauseMs()),
      fetched.atMs + MAX_STALE_MS,
    );
  }

  #failurePauseMs(): number {
    return Math.min(FAILURE_PAUSE_MS * 2 ** (this.#failures - 1), FAILURE_PAUSE_MS_MAX);
  }

  #elapsedMs(sinceMs: number): number {
    const elapsedMs = this.#source.nowMs() - sinceMs;
    return elapsedMs < 0 ? Number.POSITIVE_INFINITY : elapsedMs;
  }
}
