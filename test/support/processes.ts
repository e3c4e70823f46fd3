import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { processFacts } from "../../src/home/owner/process-facts.ts";

/** Whether a process runs; one that has ended and only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  return processFacts.startOf(pid) !== null;
}

/**
 * Whether a process is stopped, as SIGSTOP does it. Where the machine does not tell, one that runs is taken for
 * stopped.
 */
export function isStopped(pid: number): boolean {
  const [stat] = orEmpty(() => [readFileSync(`/proc/${pid}/stat`, "latin1")]);
  return stat === undefined ? isRunning(pid) : / T \d+ /.test(stat.slice(stat.lastIndexOf(")")));
}

/**
 * Processes whose command line or environment names a folder, by number. Empty on systems without /proc, where nothing
 * can be told.
 */
export function processesNaming(folder: string): readonly number[] {
  const numbers = orEmpty(() => readdirSync("/proc")).filter((name) => /^\d+$/.test(name));
  return numbers
    .filter((number) => isOf(number, folder))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function isOf(number: string, folder: string): boolean {
  return ["cmdline", "environ"].some((file) =>
    orEmpty(() => [readFileSync(`/proc/${number}/${file}`, "latin1")]).some((text) =>
      text.includes(folder),
    ),
  );
}

/** A process may end while it is looked at. */
function orEmpty(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Waits until something is so, at most for the given time; false when it never was. */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  limitMs = 15_000,
): Promise<boolean> {
  const startMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startMs > limitMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Whether anything listens on a port of the loopback address. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
