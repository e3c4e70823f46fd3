import { type Store, UnknownOutcome } from "../home/store.ts";
import { EXIT, fail } from "../model/diagnostic.ts";
import type { Owner } from "../model/record.ts";
import { SeededRandom } from "./seeded-random.ts";
import { SimulatedClock, type SimulatedTime } from "./simulated-clock.ts";

/** What may happen to one effect. A crash is a promise that never settles, as after kill -9: no `finally` runs. */
export type Fault =
  | "crash-before"
  | "crash-after-apply"
  | "crash-after-response"
  | "lost-response"
  | "error-after-apply"
  | "error-before"
  | "throttle"
  | "disk-full"
  | "hang";

export type EffectKind = "put" | "get" | "list" | "read" | "create" | "update" | "delete";

/** One thing that a process does to the world. */
export interface Effect {
  /** Counts the effects of the process from 0. */
  readonly index: number;
  readonly kind: EffectKind;
  /** The key or the urn. */
  readonly about: string;
}

export interface ProcessOptions {
  readonly time: SimulatedTime;
  readonly seed: number;
  readonly faultAt?: (effect: Effect) => Fault | null;
  /** How long an effect takes, in simulated milliseconds; 0 when absent. */
  readonly latencyMs?: (effect: Effect) => number;
  /** How far the wall clock is off. */
  readonly clockOffsetMs?: number;
}

/** A call that is refused for a while answers so this often. */
const THROTTLED_CALLS = 3;

/** One run of the tool: its clock, its chance, and its way to the world. */
export class SimulatedProcess {
  readonly clock: SimulatedClock;
  readonly random: SeededRandom;
  readonly owner: Owner;
  /** Resolves when the process has crashed. */
  readonly crashed: Promise<void>;
  readonly effects: Effect[] = [];
  readonly #options: ProcessOptions;
  #isDead = false;
  #diesNext = false;
  #throttled = 0;
  #pause: Promise<void> | null = null;
  #tellCrash: () => void = () => {};

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.clock = new SimulatedClock(options.time, options.clockOffsetMs);
    this.random = new SeededRandom(options.seed);
    this.owner = {
      who: "sim@sim",
      pid: options.seed,
      pidStart: "1",
      bootId: "b",
      pidNamespace: "n",
    };
    this.crashed = new Promise((resolve) => {
      this.#tellCrash = resolve;
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.clock.stop();
    this.#tellCrash();
  }

  /** Holds every effect back until the promise resolves, as a stopped process does. */
  pauseUntil(resumed: Promise<void>): void {
    this.#pause = resumed;
  }

  /** The store as this process reaches it. */
  store(inner: Store): Store {
    return {
      location: inner.location,
      get: (key) => this.#storeCall("get", key, () => inner.get(key)),
      list: (prefix, limit, after) =>
        this.#storeCall("list", prefix, () => inner.list(prefix, limit, after)),
      putIfAbsent: (key, bytes) => this.#storeCall("put", key, () => inner.putIfAbsent(key, bytes)),
      delete: (key) => this.#storeCall("delete", key, () => inner.delete(key)),
    };
  }

  #storeCall<T>(kind: EffectKind, key: string, apply: () => Promise<T>): Promise<T> {
    return this.#effect(kind, key, apply, {
      lost: () => new UnknownOutcome("the answer was lost"),
      throttled: null,
    });
  }

  /** A call to the cloud. */
  cloudCall<T>(kind: EffectKind, urn: string, apply: () => T, throttled: T): Promise<T> {
    return this.#effect(kind, urn, async () => apply(), {
      lost: (what) => new Error(what),
      throttled,
    });
  }

  async #effect<T>(
    kind: EffectKind,
    about: string,
    apply: () => Promise<T>,
    answers: { readonly lost: (what: string) => Error; readonly throttled: T | null },
  ): Promise<T> {
    if (this.#diesNext) this.kill();
    if (this.#isDead) return never();
    const effect = { index: this.effects.length, kind, about };
    this.effects.push(effect);
    const fault = this.#options.faultAt?.(effect) ?? null;
    const latencyMs = this.#options.latencyMs?.(effect) ?? 0;
    if (latencyMs > 0) await this.clock.sleep(latencyMs);
    if (this.#pause !== null) await this.#pause;
    if (this.#isDead) return never();
    const answer = await this.#withFault(fault, apply, answers);
    return this.#isDead ? never() : answer;
  }

  async #withFault<T>(
    fault: Fault | null,
    apply: () => Promise<T>,
    answers: { readonly lost: (what: string) => Error; readonly throttled: T | null },
  ): Promise<T> {
    if (fault === "throttle") this.#throttled = THROTTLED_CALLS;
    if (this.#throttled > 0 && answers.throttled !== null) {
      this.#throttled -= 1;
      return answers.throttled;
    }
    switch (fault) {
      case "crash-before":
        this.kill();
        return never();
      case "crash-after-apply":
        await apply();
        this.kill();
        return never();
      case "crash-after-response": {
        const answer = await apply();
        this.#diesNext = true;
        return answer;
      }
      case "lost-response":
        await apply();
        throw answers.lost("socket hang up");
      case "error-after-apply":
        await apply();
        throw answers.lost("500 Internal Server Error");
      case "error-before":
        throw answers.lost("connection refused");
      case "hang":
        return never();
      case "disk-full":
        throw fail("HOME_FULL", "There is no room left", { exit: EXIT.home });
      default:
        return apply();
    }
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
