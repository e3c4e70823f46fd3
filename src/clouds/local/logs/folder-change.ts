import { type FSWatcher, watch } from "node:fs";
import type { Clock } from "../../../model/world.ts";

/** Notices changes in a folder from when it was made on, so that nothing between a look and a wait is missed. */
export interface FolderChange {
  /**
   * Resolves when something has changed, at the latest after `atMostMs`, and as soon as the signal
   * is aborted.
   */
  wait(atMostMs: number, clock: Clock, signal: AbortSignal): Promise<void>;
  close(): void;
}

export function expectChange(folder: string): FolderChange {
  const changed = new AbortController();
  const watcher = tryWatch(folder, () => changed.abort());
  return {
    wait: async (atMostMs, clock, signal) => {
      try {
        await clock.sleep(atMostMs, AbortSignal.any([signal, changed.signal]));
      } catch (error) {
        if (!signal.aborted && !changed.signal.aborted) throw error;
      }
    },
    close: () => watcher?.close(),
  };
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
