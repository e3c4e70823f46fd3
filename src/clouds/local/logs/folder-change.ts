import { type FSWatcher, watch } from "node:fs";
import type { Clock } from "../../../model/world.ts";

/**
 * Resolves when something in the folder changes, at the latest after `atMostMs`, and as soon as the
 * signal is aborted. Changes of before the call are not told, so the caller looks again whatever
 * happened.
 */
export async function waitForChange(
  folder: string,
  atMostMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const changed = new AbortController();
  const watcher = tryWatch(folder, () => changed.abort());
  try {
    await clock.sleep(atMostMs, AbortSignal.any([signal, changed.signal]));
  } catch (error) {
    if (!signal.aborted && !changed.signal.aborted) throw error;
  } finally {
    watcher?.close();
  }
}

/** Null where the folder cannot be watched, for example because it is not there. */
function tryWatch(folder: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    // The folder went away; the next look finds out.
    watcher.on("error", onChange);
    return watcher;
  } catch {
    return null;
  }
}
