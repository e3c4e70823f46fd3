import { type Store, UnknownOutcome } from "../home/store.ts";
import { EXIT, fail } from "../model/diagnostic.ts";

/**
 * What may go wrong with one call. `lost`: applied, and the answer lost. `dropped`: not applied, and that not known.
 * `late`: answered as lost; applied when {@link FaultyStore.landLate} is called. `full`: refused for want of room.
 * `crash-before`, `crash-after`: the process ends there, so the call and all that follow never settle.
 */
export type StoreFault =
  | "none"
  | "lost"
  | "dropped"
  | "late"
  | "full"
  | "crash-before"
  | "crash-after";

/** One call, as a script chooses a fault for it. `index` counts all calls from 0, `put` only those that create. */
export interface StoreCall {
  readonly verb: "get" | "list" | "put" | "delete";
  readonly key: string;
  readonly index: number;
  readonly put: number;
}

/** One process's way to a store, on which calls fail as a script says. */
export class FaultyStore implements Store {
  readonly #inner: Store;
  readonly #choose: (call: StoreCall) => StoreFault;
  readonly #late: (() => Promise<void>)[] = [];
  #calls = 0;
  #puts = 0;
  #isDead = false;

  constructor(inner: Store, choose: (call: StoreCall) => StoreFault) {
    this.#inner = inner;
    this.#choose = choose;
  }

  get location(): string {
    return this.#inner.location;
  }

  /** Calls so far, and among them those that create. */
  get counts(): { readonly calls: number; readonly puts: number } {
    return { calls: this.#calls, puts: this.#puts };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Ends the process: no call under way or to come ever settles. What is late still lands. */
  kill(): void {
    this.#isDead = true;
  }

  /** Lets the writes land that were under way when their answers were lost, in their order. */
  async landLate(): Promise<void> {
    for (const land of this.#late.splice(0)) await land();
  }

  get(key: string): Promise<Uint8Array | null> {
    return this.#call("get", key, () => this.#inner.get(key));
  }

  list(prefix: string, limit: number, after?: string): Promise<readonly string[]> {
    return this.#call("list", prefix, () => this.#inner.list(prefix, limit, after));
  }

  putIfAbsent(key: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    return this.#call("put", key, () => this.#inner.putIfAbsent(key, bytes));
  }

  delete(key: string): Promise<void> {
    return this.#call("delete", key, () => this.#inner.delete(key));
  }

  async #call<T>(verb: StoreCall["verb"], key: string, apply: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    const call = { verb, key, index: this.#calls, put: verb === "put" ? this.#puts : -1 };
    this.#calls += 1;
    if (verb === "put") this.#puts += 1;
    try {
      const answer = await this.#apply(this.#choose(call), apply);
      return this.#isDead ? await never() : answer;
    } catch (error) {
      if (this.#isDead) return never();
      throw error;
    }
  }

  async #apply<T>(fault: StoreFault, apply: () => Promise<T>): Promise<T> {
    switch (fault) {
      case "none":
        return apply();
      case "lost":
        await apply();
        throw new UnknownOutcome("the answer was lost");
      case "dropped":
        throw new UnknownOutcome("the request was lost");
      case "late":
        this.#late.push(async () => void (await apply()));
        throw new UnknownOutcome("the request is late");
      case "full":
        throw fail("HOME_FULL", "There is no room left", { exit: EXIT.home });
      case "crash-before":
        this.#isDead = true;
        return never();
      case "crash-after":
        await apply();
        this.#isDead = true;
        return never();
    }
  }
}

/** A fault for chosen puts, counted from 0; none for everything else. */
export function faultsAtPuts(
  faults: ReadonlyMap<number, StoreFault>,
): (call: StoreCall) => StoreFault {
  return (call) => faults.get(call.put) ?? "none";
}

/** For each put, by `next` (a number from 0 to 1), one of the faults or none; other calls never fail. */
export function randomFaults(
  next: () => number,
  rate: number,
  faults: readonly StoreFault[],
): (call: StoreCall) => StoreFault {
  return (call) => {
    if (call.verb !== "put" || next() >= rate) return "none";
    return faults[Math.floor(next() * faults.length)] ?? "none";
  };
}

/** A promise that never settles, as nothing does in a process that has ended. */
function never(): Promise<never> {
  return new Promise(() => {});
}
