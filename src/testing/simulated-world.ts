import { createHmac } from "node:crypto";
import { StoredStageLog } from "../home/epochs/stage-log.ts";
import type { StageLog } from "../home/journal.ts";
import { stagePlace } from "../home/log/stage-place.ts";
import type { Liveness } from "../home/owner/liveness.ts";
import type { Store } from "../home/store.ts";
import { MemoryStore } from "../home/stores/memory.ts";
import type { EngineEvent } from "../model/event.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { SimulatedTime } from "./simulated-clock.ts";
import { SimulatedCloud } from "./simulated-cloud.ts";
import { type ProcessOptions, SimulatedProcess } from "./simulated-process.ts";

export const SIMULATED_APP = "shop";
export const SIMULATED_STAGE = "dev";

/** How the simulation seals sensitive values. */
export function simulatedSeal(value: Json): string {
  return createHmac("sha256", "the key of the simulation")
    .update(canonicalJson(value))
    .digest("hex");
}

interface WorldParts {
  readonly time: SimulatedTime;
  readonly store: MemoryStore;
  readonly cloud: SimulatedCloud;
}

/** Everything that outlives a process: time, one home, one cloud, and what was said on the way. */
export class SimulatedWorld {
  readonly time: SimulatedTime;
  readonly store: MemoryStore;
  readonly cloud: SimulatedCloud;
  readonly events: EngineEvent[] = [];
  /** Whether a process can tell that another one lives or has died; if not, only silence counts. */
  seesProcesses = true;
  readonly #processes = new Map<number, SimulatedProcess>();
  #seed: number;

  constructor(seed = 1, parts: Partial<WorldParts> = {}) {
    this.#seed = seed;
    this.time = parts.time ?? new SimulatedTime();
    this.store = parts.store ?? new MemoryStore();
    this.cloud = parts.cloud ?? new SimulatedCloud(this.time);
  }

  /** An equal world without processes, which goes its own way from here. */
  async clone(): Promise<SimulatedWorld> {
    const store = new MemoryStore();
    for (const [key, bytes] of await storedValues(this.store)) await store.putIfAbsent(key, bytes);
    const time = new SimulatedTime(this.time.nowMs);
    return new SimulatedWorld(this.#seed, { time, store, cloud: this.cloud.clone(time) });
  }

  start(options: Omit<ProcessOptions, "time" | "seed"> = {}): SimulatedProcess {
    this.#seed += 1;
    const process = new SimulatedProcess({ ...options, time: this.time, seed: this.#seed });
    this.#processes.set(process.owner.pid, process);
    return process;
  }

  /** The stage as one process reaches it. */
  stageLog(process: SimulatedProcess, wrap: (store: Store) => Store = (store) => store): StageLog {
    return new StoredStageLog({
      place: stagePlace(wrap(process.store(this.store)), SIMULATED_APP, SIMULATED_STAGE),
      clock: process.clock,
      random: process.random,
      liveness: this.#liveness(),
    });
  }

  /** What the home tells somebody who only looks. */
  async snapshot(): Promise<Snapshot> {
    const reader = this.start();
    const { snapshot } = await this.stageLog(reader).read();
    reader.kill();
    return snapshot;
  }

  /** Every byte of the home, as text. */
  async homeText(): Promise<string> {
    const values = await storedValues(this.store);
    return values.map(([, bytes]) => Buffer.from(bytes).toString()).join("\n");
  }

  #liveness(): Liveness {
    return {
      check: (owner) => {
        if (!this.seesProcesses) return "unknown";
        const process = this.#processes.get(owner.pid);
        return process === undefined || process.isDead ? "dead" : "alive";
      },
    };
  }
}

async function storedValues(store: Store): Promise<readonly (readonly [string, Uint8Array])[]> {
  const keys = await store.list("", Number.MAX_SAFE_INTEGER);
  const values: (readonly [string, Uint8Array])[] = [];
  for (const key of keys) {
    const bytes = await store.get(key);
    if (bytes !== null) values.push([key, bytes]);
  }
  return values;
}
