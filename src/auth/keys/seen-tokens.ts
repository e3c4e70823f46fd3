import type { Claims } from "../verify/claims.ts";
import type { TokenHeader } from "../verify/token-header.ts";

/** A token whose signature was right. */
export interface SeenToken {
  readonly header: TokenHeader;
  readonly claims: Claims;
}

/** In each of two generations: a few megabytes at most, and enough for the users of one function's instance. */
const GENERATION_MAX = 500;

/**
 * Remembers tokens, the ones used of late rather than others. Two generations do what a list in order of use would,
 * without touching an order at every look.
 */
export class SeenTokens {
  #young = new Map<string, SeenToken>();
  #old = new Map<string, SeenToken>();

  get(token: string): SeenToken | undefined {
    const young = this.#young.get(token);
    if (young !== undefined) return young;
    const old = this.#old.get(token);
    if (old !== undefined) this.set(token, old);
    return old;
  }

  set(token: string, seen: SeenToken): void {
    if (this.#young.size >= GENERATION_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(token, seen);
  }

  delete(token: string): void {
    this.#young.delete(token);
    this.#old.delete(token);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
