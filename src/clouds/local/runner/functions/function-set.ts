import { isDeepStrictEqual } from "node:util";
import type { StageLog } from "../logs/stage-log.ts";
import type { FunctionRuntime } from "../protocol.ts";
import { createFunctionPool, type FunctionPool, type Invocation } from "./function-pool.ts";
import { createSpareThread } from "./spare-thread.ts";
import { startThread } from "./start-thread.ts";

/** All functions of a stage, each in its present version. */
export interface FunctionSet {
  /** Makes new events see `functions`; events already with an instance finish where they are. */
  configure(functions: readonly FunctionRuntime[]): void;
  invoke(name: string, invocation: Invocation): void;
  /** Ends instances that had no event since `sinceMs`, as `performance.now()`. */
  reap(sinceMs: number): void;
  /** Whether an event is with an instance or waits for one. */
  isBusy(): boolean;
  /** Ends everything at once. */
  stop(): void;
}

/** Threads of a whole stage, each a few megabytes; when they are used up an idle one elsewhere makes room. */
const STAGE_INSTANCES_MAX = 200;

export function createFunctionSet(
  workerFile: string,
  log: StageLog,
  instancesMax = STAGE_INSTANCES_MAX,
): FunctionSet {
  let pools = new Map<string, FunctionPool>();
  /** Retired versions that still have events in flight, so that `stop` reaches them. */
  const retired = new Set<FunctionPool>();
  let instances = 0;

  const spare = createSpareThread(workerFile);
  const thread = (runtime: FunctionRuntime) =>
    spare.take(runtime) ?? startThread(workerFile, runtime);

  const reserve = (): boolean => {
    if (instances >= instancesMax) {
      longestIdle(pools.values())?.stopLongestIdle();
      return false;
    }
    instances += 1;
    return true;
  };
  const release = () => {
    instances -= 1;
  };
  const forgetEnded = () => {
    for (const pool of retired) if (pool.instanceCount() === 0) retired.delete(pool);
  };
  const retire = (old: FunctionPool, replacement: FunctionPool | undefined) => {
    const waiting = old.retire();
    retired.add(old);
    for (const invocation of waiting) {
      if (replacement !== undefined) replacement.submit(invocation);
      else invocation.finish({ kind: "failed", problem: "The function was removed" });
    }
  };

  return {
    configure(functions) {
      forgetEnded();
      const before = pools;
      pools = new Map();
      for (const runtime of functions) {
        const old = before.get(runtime.name);
        if (old !== undefined && isDeepStrictEqual(old.runtime, runtime)) {
          pools.set(runtime.name, old);
          continue;
        }
        const pool = createFunctionPool(runtime, { thread, log, reserve, release });
        pools.set(runtime.name, pool);
        // A function that is in use is asked again within moments, so its new version starts now.
        if (old === undefined || old.instanceCount() === 0) continue;
        pool.prewarm();
        spare.prepare(runtime);
      }
      for (const [name, old] of before) {
        const now = pools.get(name);
        if (now !== old) retire(old, now);
      }
    },
    invoke(name, invocation) {
      const pool = pools.get(name);
      if (pool !== undefined) pool.submit(invocation);
      else invocation.finish({ kind: "failed", problem: `There is no function ${name}` });
    },
    reap(sinceMs) {
      forgetEnded();
      spare.reap(sinceMs);
      for (const pool of pools.values()) {
        while ((pool.idleSinceMs() ?? Number.POSITIVE_INFINITY) < sinceMs) pool.stopLongestIdle();
      }
    },
    isBusy: () => [...pools.values(), ...retired].some((pool) => pool.isBusy()),
    stop() {
      spare.stop();
      for (const pool of [...pools.values(), ...retired]) pool.stop();
    },
  };
}

function longestIdle(pools: Iterable<FunctionPool>): FunctionPool | null {
  let found: FunctionPool | null = null;
  let sinceMs = Number.POSITIVE_INFINITY;
  for (const pool of pools) {
    const idleSinceMs = pool.idleSinceMs();
    if (idleSinceMs === null || idleSinceMs >= sinceMs) continue;
    found = pool;
    sinceMs = idleSinceMs;
  }
  return found;
}
