import type { Clock } from "../../../../model/world.ts";
import { systemClock } from "../../../../system/clock.ts";
import type { StageHost } from "../../runner/protocol.ts";
import { createStage, type Stage } from "./stage.ts";

export interface StageHostOptions {
  /** Absolute path of the built runner/main.ts. */
  readonly runnerEntry: string;
  /** Absolute path of the built runner/worker.ts; by default `worker.js` beside the runner. */
  readonly workerEntry?: string;
  readonly clock?: Clock;
  /** Without a request for this long a stage goes to sleep; five minutes by default. */
  readonly idleMs?: number;
  /** A function instance without an event for this long is ended; two minutes by default. */
  readonly instanceIdleMs?: number;
  /** How long an HTTP API waits for its function; 30 seconds by default, as on AWS. */
  readonly gatewayTimeoutMs?: number;
  /** Receives a line for the server's log. */
  readonly log?: (line: string) => void;
  /** Called when something in `status()` may have changed. */
  readonly onChange?: () => void;
}

/** How long `close` lets requests in flight go on. */
const CLOSE_GRACE_MS = 5_000;

/** Runs every stage of a home, each in a process of its own that starts with the first request. */
export function createStageHost(options: StageHostOptions): StageHost {
  const { runnerEntry, workerEntry, idleMs, instanceIdleMs, gatewayTimeoutMs } = options;
  const stages = new Map<string, Stage>();
  /** The last thing asked of each stage, so that the next waits for it. */
  const tails = new Map<string, Promise<void>>();
  let isClosed = false;

  const enqueue = (stageKey: string, work: () => Promise<void>): Promise<void> => {
    const done = (tails.get(stageKey) ?? Promise.resolve()).then(work);
    const tail = done
      .catch(() => {})
      .then(() => {
        if (tails.get(stageKey) === tail) tails.delete(stageKey);
      });
    tails.set(stageKey, tail);
    return done;
  };

  const stageOf = (stageKey: string): Stage => {
    const known = stages.get(stageKey);
    if (known !== undefined) return known;
    const made = createStage(stageKey, {
      runnerEntry,
      runnerSettings: { workerEntry, idleMs, instanceIdleMs, gatewayTimeoutMs },
      clock: options.clock ?? systemClock,
      log: options.log ?? (() => {}),
      onChange: options.onChange ?? (() => {}),
    });
    stages.set(stageKey, made);
    return made;
  };

  const end = (stageKey: string, graceMs: number): Promise<void> =>
    enqueue(stageKey, async () => {
      const stage = stages.get(stageKey);
      stages.delete(stageKey);
      await stage?.end(graceMs);
    });

  return {
    apply: (runtime) =>
      enqueue(runtime.stageKey, async () => {
        if (isClosed) throw new Error("The stage host is closed.");
        await stageOf(runtime.stageKey).apply(runtime);
      }),
    remove: (stageKey) => end(stageKey, 0),
    status: () => [...stages.values()].map((stage) => stage.status()),
    async close() {
      isClosed = true;
      await Promise.all([...stages.keys()].map((stageKey) => end(stageKey, CLOSE_GRACE_MS)));
      await Promise.all(tails.values());
    },
  };
}
