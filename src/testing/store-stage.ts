import { createHash } from "node:crypto";
import { StoredStageLog } from "../home/epochs/stage-log.ts";
import type { BeginOptions, Epoch, StageLog } from "../home/journal.ts";
import { stagePlace } from "../home/log/stage-place.ts";
import type { Verdict } from "../home/owner/liveness.ts";
import type { Store } from "../home/store.ts";
import { MemoryStore } from "../home/stores/memory.ts";
import type { LogRecord, Owner } from "../model/record.ts";
import type { ResourceState } from "../model/resource.ts";
import type { Intent } from "../model/snapshot.ts";
import { urnOf } from "../model/urn.ts";
import type { Clock, Random } from "../model/world.ts";

/** A clock on which time passes only while somebody sleeps, and then at once. For tests of one thing at a time. */
export class SteppedClock implements Clock {
  #nowMs = Date.parse("2026-01-01T00:00:00Z");
  #sleepers: { readonly wakeMs: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { wakeMs: this.#nowMs + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", stop);
    });
  }

  /** Lets `ms` pass, waking sleepers in order and letting each do all it can. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await turns();
      const next = [...this.#sleepers].sort((a, b) => a.wakeMs - b.wakeMs)[0];
      if (next === undefined || next.wakeMs > endMs) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#nowMs = Math.max(this.#nowMs, next.wakeMs);
      next.wake();
    }
    this.#nowMs = endMs;
    await turns();
  }

  /** Lets time pass for everybody at once, as when a machine slept. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
}

/** Bytes that differ each time and are the same in every run; at most 32 at once. */
export function countingRandom(seed = 0): Random {
  let count = 0;
  return {
    bytes(length) {
      count += 1;
      const digest = createHash("sha256").update(`${seed}.${count}`).digest();
      return new Uint8Array(digest.subarray(0, length));
    },
  };
}

/** A stage as one process sees it. */
export interface StageFixture {
  readonly log: StageLog;
  readonly store: MemoryStore;
  readonly clock: SteppedClock;
  /** Verbs of the calls that this process made to the store. */
  readonly calls: string[];
  /** What is told about every holder from now on. */
  judge(verdict: Verdict): void;
  killHolder(): void;
  /** The same stage as another process sees it, through `wrap` when given. */
  another(wrap?: (store: Store) => Store): StageFixture;
}

let processes = 0;

/** The stage `dev` of the app `shop` in a store of memory. */
export function aStage(
  store: MemoryStore = new MemoryStore(),
  clock: SteppedClock = new SteppedClock(),
  shared: { verdict: Verdict } = { verdict: "unknown" },
  wrap: (store: Store) => Store = (inner) => inner,
): StageFixture {
  const calls: string[] = [];
  processes += 1;
  const place = stagePlace(counted(wrap(store), calls), "shop", "dev");
  const liveness = { check: () => shared.verdict };
  const random = countingRandom(processes);
  const judge = (verdict: Verdict): void => {
    shared.verdict = verdict;
  };
  return {
    log: new StoredStageLog({ place, clock, random, liveness }),
    store,
    clock,
    calls,
    judge,
    killHolder: () => judge("dead"),
    another: (wrapOther) => aStage(store, clock, shared, wrapOther),
  };
}

function counted(store: Store, calls: string[]): Store {
  const told = <T>(verb: string, answer: Promise<T>): Promise<T> => {
    calls.push(verb);
    return answer;
  };
  return {
    location: store.location,
    get: (key) => told("get", store.get(key)),
    list: (prefix, limit, after) => told("list", store.list(prefix, limit, after)),
    putIfAbsent: (key, bytes) => told("put", store.putIfAbsent(key, bytes)),
    delete: (key) => told("delete", store.delete(key)),
  };
}

const owner: Owner = {
  who: "ada@engine",
  pid: 4711,
  pidStart: "12",
  bootId: "b",
  pidNamespace: "n",
};

export function options(changes: Partial<BeginOptions> = {}): BeginOptions {
  const { signal } = new AbortController();
  return { owner, command: "deploy", version: "0.1.0", lockTimeoutMs: 0, signal, ...changes };
}

/** Takes the stage as it is now. Fails the test when another writer is in between. */
export async function begin(log: StageLog, changes: Partial<BeginOptions> = {}): Promise<Epoch> {
  const { head } = await log.read();
  const epoch = await log.begin(head, options(changes));
  if (epoch === "moved") throw new Error("the head moved");
  return epoch;
}

let intents = 0;

export function intentOf(epoch: Epoch, name: string): Intent {
  intents += 1;
  const { urn, type, component, generation, physicalName } = stateOf(name);
  return {
    id: `${epoch.epoch}.${intents}`,
    operation: "create",
    ...{ urn, type, name, component, generation, physicalName },
    token: "t",
    inputsHash: "h",
    dependsOn: [],
    at: "2026-01-01T00:00:00.000Z",
  };
}

export function stateOf(name: string): ResourceState {
  return {
    urn: urnOf("test:bucket", name),
    type: "test:bucket",
    name,
    component: name,
    status: "live",
    generation: 1,
    physicalName: `shop-dev-${name}`,
    id: `shop-dev-${name}`,
    inputs: { public: false },
    outputs: { arn: `arn:${name}` },
    dependsOn: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
}

/** Records a create as an engine does: intent, then outcome. */
export async function create(epoch: Epoch, name: string): Promise<void> {
  const intent = intentOf(epoch, name);
  await epoch.append([{ kind: "intent", intent }]);
  const outcome: LogRecord = { kind: "outcome", intent: intent.id, state: stateOf(name) };
  await epoch.append([outcome]);
}
