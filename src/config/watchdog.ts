import { Worker } from "node:worker_threads";

/** The watchdog strikes this long after the main thread should have noticed by itself. */
const GRACE_MS = 500;

/** If the main thread does not come back for this long after a strike, the process is killed. */
const KILL_AFTER_MS = 5000;

/**
 * Runs in the thread. While the first number is odd the watchdog is armed; if it stays so for the milliseconds
 * of the second, whatever runs on the main thread is terminated, as a debugger would do it. It is text because a thread
 * can only be started from JavaScript, whichever way this file was loaded.
 */
const THREAD = `
const { workerData: cell } = require("node:worker_threads");
const { Session } = require("node:inspector");
for (;;) {
  const seen = Atomics.load(cell, 0);
  if (seen % 2 === 0) {
    Atomics.wait(cell, 0, seen);
  } else if (Atomics.wait(cell, 0, seen, Atomics.load(cell, 1) + ${GRACE_MS}) === "timed-out") {
    const session = new Session();
    try {
      session.connectToMainThread();
      session.post("Runtime.terminateExecution");
    } catch {}
    if (Atomics.wait(cell, 0, seen, ${KILL_AFTER_MS}) === "timed-out") {
      require("node:fs").writeSync(2, "Error: the config ran too long and could not be stopped\\n");
      process.kill(process.pid, "SIGKILL");
    }
    session.disconnect();
  }
}
`;

/**
 * Stops code on the main thread that never comes back, such as `while (true);` in a config, where no timer can fire.
 * The code is terminated and the main thread goes on; what awaited that code must have a timer of its own.
 */
export interface Watchdog {
  /** From now on, unless disarmed, code that keeps the main thread busy is stopped after about `timeoutMs`. */
  arm(timeoutMs: number): void;
  disarm(): void;
}

let shared: Watchdog | null = null;

/** The watchdog of this process. Its thread is started at first use and does not keep the process alive. */
export function watchdog(): Watchdog {
  shared ??= start();
  return shared;
}

function start(): Watchdog {
  const cell = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(THREAD, { eval: true, workerData: cell, env: {}, execArgv: [] });
  worker.unref();
  const step = (): void => {
    Atomics.add(cell, 0, 1);
    Atomics.notify(cell, 0);
  };
  return {
    arm(timeoutMs) {
      Atomics.store(cell, 1, timeoutMs);
      if (Atomics.load(cell, 0) % 2 === 0) step();
    },
    disarm() {
      if (Atomics.load(cell, 0) % 2 === 1) step();
    },
  };
}
