import { setMaxListeners } from "node:events";
import { EXIT } from "../model/diagnostic.ts";

/** What the user's Ctrl-C, a `kill` or a closed terminal means while a command runs. */
export interface Interrupts {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** 130 or 143 once a signal came, else null. */
  exitCode(): number | null;
  stop(): void;
}

const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: 129 } as const;

/**
 * The first signal asks the command to finish what is in flight; the second leaves at once. Both are safe:
 * whatever was begun stands in the log and is settled by the next command.
 */
export function listenForInterrupts(tell: (message: string) => void): Interrupts {
  const controller = new AbortController();
  // Every call that waits listens, and Node.js takes more than ten for a leak.
  setMaxListeners(0, controller.signal);
  let exit: number | null = null;
  const handlers = Object.entries(SIGNALS).map(([name, code]) => {
    const handler = (): void => {
      if (exit !== null) process.exit(code);
      exit = code;
      tell("Stopping after what is in flight. Press Ctrl-C again to leave at once; both are safe.");
      controller.abort(new Error("interrupted"));
    };
    process.on(name, handler);
    return { name, handler };
  });
  return {
    signal: controller.signal,
    exitCode: () => exit,
    stop: () => {
      for (const { name, handler } of handlers) process.off(name, handler);
    },
  };
}
