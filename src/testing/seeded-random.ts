import type { Random } from "../model/world.ts";

/** A source of chance that gives the same sequence for the same seed (mulberry32; for simulations only). */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#next() >>> 24);
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.#next() / 0x1_0000_0000;
  }

  /** From 0 up to, but not including, `below`. */
  below(below: number): number {
    return Math.floor(this.fraction() * below);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
