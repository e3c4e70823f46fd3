import type { Worker } from "node:worker_threads";
import type { FunctionRuntime } from "../protocol.ts";
import { startThread } from "./start-thread.ts";

/**
 * One thread started ahead. A function that was just given other code is being worked on, and its next version will be
 * wanted at once: starting a thread is more than half of the time from saving a file to the new answer.
 */
export interface SpareThread {
  /** Has a thread ready soon for the next version of this function. */
  prepare(runtime: FunctionRuntime): void;
  /** The thread, if it suits the function; it is the caller's from now on. */
  take(runtime: FunctionRuntime): Worker | null;
  /** Ends the thread if it was prepared before `sinceMs`, as `performance.now()`. */
  reap(sinceMs: number): void;
  stop(): void;
}

/** First the new version itself is to start and answer. */
const DELAY_MS = 150;

interface Spare {
  readonly worker: Worker;
  readonly mold: string;
  /** Called when it ends by itself. */
  readonly onEnd: () => void;
}

export function createSpareThread(workerFile: string): SpareThread {
  let spare: Spare | null = null;
  let preparedMs = 0;
  let delay: NodeJS.Timeout | undefined;

  const release = (): Worker | null => {
    const released = spare;
    spare = null;
    if (released === null) return null;
    const { worker, onEnd } = released;
    worker.off("exit", onEnd);
    return worker;
  };
  const end = () => {
    clearTimeout(delay);
    void release()?.terminate();
  };
  const start = (runtime: FunctionRuntime) => {
    const mold = moldOf(runtime);
    if (spare?.mold === mold) return;
    end();
    const worker = startThread(workerFile, runtime);
    const onEnd = () => {
      if (spare?.worker === worker) spare = null;
    };
    worker.on("exit", onEnd);
    // It runs nothing of the user's yet, so what ends it is told by the one that is started in its place.
    worker.on("error", () => undefined);
    worker.unref();
    spare = { worker, mold, onEnd };
  };

  return {
    prepare(runtime) {
      preparedMs = performance.now();
      clearTimeout(delay);
      delay = setTimeout(() => start(runtime), DELAY_MS);
      delay.unref();
    },
    take(runtime) {
      if (spare?.mold !== moldOf(runtime)) return null;
      const worker = release();
      worker?.ref();
      return worker;
    },
    reap(sinceMs) {
      if (preparedMs < sinceMs) end();
    },
    stop: end,
  };
}

/** Equal for functions between which a thread that has loaded nothing can choose. */
function moldOf({ memoryMb, environment }: FunctionRuntime): string {
  // Node.js reads this one variable when the thread starts.
  return JSON.stringify([memoryMb, environment["NODE_OPTIONS"] ?? null]);
}
