import { dirname } from "node:path";
import { FileLedger, type FileVersion } from "../../bundle/file-ledger.ts";
import { FolderWatch } from "../../bundle/folder-watch.ts";

/** Editors write a file in several steps; what comes within this time is one save. */
const QUIET_MS = 5;

/** Notices that files have another content than before. Files may come and go. */
export class WatchedFiles {
  readonly #onChange: () => void;
  readonly #ledger = new FileLedger();
  readonly #folders = new FolderWatch(() => this.#touch());
  /** As last taken; null for a file that was not there. */
  #taken: ReadonlyMap<string, FileVersion | null> = new Map();
  #quiet: NodeJS.Timeout | undefined;

  /** @param onChange told that {@link take} has something to tell; perhaps more than once */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these files and no others; absolute paths. Those watched already are compared with what was taken. */
  set(files: readonly string[]): void {
    this.#ledger.startRound();
    this.#taken = new Map(
      files.map((file) => {
        const known = this.#taken.get(file);
        return [file, known === undefined ? this.#ledger.current(file) : known];
      }),
    );
    this.#folders.set(new Set(files.map((file) => dirname(file))));
  }

  /** The files that have changed since they were last taken. */
  take(): readonly string[] {
    const changed = this.#changed();
    this.#taken = new Map([...this.#taken].map(([file]) => [file, this.#ledger.current(file)]));
    return changed;
  }

  /** Looks without being told, as notifications are lost on some disks. */
  look(): void {
    if (this.#changed().length > 0) this.#onChange();
  }

  close(): void {
    clearTimeout(this.#quiet);
    this.#folders.close();
  }

  #touch(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.look(), QUIET_MS);
  }

  #changed(): readonly string[] {
    this.#ledger.startRound();
    return [...this.#taken].flatMap(([file, version]) =>
      this.#ledger.current(file) === version ? [] : [file],
    );
  }
}
