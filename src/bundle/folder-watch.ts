import { type FSWatcher, watch } from "node:fs";

/**
 * Tells which folders something happened in. Watches folders, not files, since editors save by renaming a new file
 * over the old one. A folder that cannot be watched is left out: whoever needs certainty looks at the disk, too.
 */
export class FolderWatch {
  readonly #onEvent: (folder: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(onEvent: (folder: string) => void) {
    this.#onEvent = onEvent;
  }

  /** Watches exactly these folders from now on; absolute paths. */
  set(folders: ReadonlySet<string>): void {
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#drop(folder);
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#add(folder);
  }

  close(): void {
    this.set(new Set());
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#onEvent(folder));
      watcher.on("error", () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // Gone already, or the system allows no more watchers.
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
