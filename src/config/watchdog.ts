import { Worker } from "node:worker_threads";

/** The watchdog strikes this long after the main thread should have noticed by itself. */
const GRACE_MS = 500;

/** If the process is still there this long after a strike, it is killed. */
const KILL_AFTER_MS = 5000;

/** Where a strike finds what to do on the main thread. */
const STRIKE = Symbol.for("scrim.watchdog.strike");

/**
 * Runs in the thread. While the first number is odd the watchdog is armed; if it stays so for the milliseconds
 * of the second, the strike is called on the main thread, in the midst of whatever runs there, as a debugger would call
 * it. It is text because a thread can only be started from JavaScript, whichever way this file was loaded.
 */
const THREAD = `
const { workerData: cell } = require("node:worker_threads");
const { Session } = require("node:inspector");
for (;;) {
  const seen = Atomics.load(cell, 0);
  if (seen % 2 === 0) {
    Atomics.wait(cell, 0, seen);
  } else if (Atomics.wait(cell, 0, seen, Atomics.load(cell, 1) + ${GRACE_MS}) === "timed-out") {
    try {
      const session = new Session();
      session.connectToMainThread();
      session.post("Runtime.evaluate", {
        expression: 'globalThis[Symbol.for("${STRIKE.description}")]()',
      });
    } catch {}
    // Back to the event loop: the ending process waits for the session to close.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), ${KILL_AFTER_MS});
    break;
  }
}
`;

/** Notices code on the main thread that never comes back, such as `while (true);`, where no timer can fire. */
export interface Watchdog {
  /**
   * From now on, unless disarmed, `strike` is called after about `timeoutMs` although the main thread is busy. It must
   * end the process.
   */
  arm(timeoutMs: number, strike: () => void): void;
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
    arm(timeoutMs, strike) {
      Object.assign(globalThis, { [STRIKE]: strike });
      Atomics.store(cell, 1, timeoutMs);
      if (Atomics.load(cell, 0) % 2 === 0) step();
    },
    disarm() {
      if (Atomics.load(cell, 0) % 2 === 1) step();
    },
  };
}
