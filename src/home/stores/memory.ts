import type { Store } from "../store.ts";

/** A store that lasts as long as its process: for tests and simulations. */
export class MemoryStore implements Store {
  readonly location = "memory";
  readonly #values = new Map<string, Uint8Array>();
  #sortedKeys: string[] | null = null;

  async get(key: string): Promise<Uint8Array | null> {
    const bytes = this.#values.get(key);
    return bytes === undefined ? null : copyOf(bytes);
  }

  async list(prefix: string, limit: number, after = ""): Promise<readonly string[]> {
    this.#sortedKeys ??= [...this.#values.keys()].sort();
    const keys = this.#sortedKeys;
    const found: string[] = [];
    for (
      let at = firstAtOrAfter(keys, after > prefix ? after : prefix);
      at < keys.length;
      at += 1
    ) {
      const key = keys[at] ?? "";
      if (found.length >= limit || !key.startsWith(prefix)) break;
      if (key > after) found.push(key);
    }
    return found;
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    if (this.#values.has(key)) return "exists";
    this.#values.set(key, copyOf(bytes));
    this.#sortedKeys = null;
    return "created";
  }

  async delete(key: string): Promise<void> {
    if (this.#values.delete(key)) this.#sortedKeys = null;
  }

  /** Puts bytes in place of a value, as a broken disk or a careless hand would. */
  damage(key: string, bytes: Uint8Array): void {
    if (!this.#values.has(key)) throw new Error(`no such key: ${key}`);
    this.#values.set(key, copyOf(bytes));
  }
}

/** Not `slice`: that of a Buffer shares its memory. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function firstAtOrAfter(keys: readonly string[], bound: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
