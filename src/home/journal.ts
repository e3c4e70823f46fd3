import type { EpochStatus, LogRecord, Owner } from "../model/record.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** What the engine writes to. The only way anything of a stage's state is recorded. */
export interface Journal {
  /** This epoch's number, for intent ids. */
  readonly epoch: number;
  /**
   * Resolves when the records are durable, in the order of the calls. Rejects with a DiagnosticError `FENCED`
   * (exit 3) once another writer has overtaken this epoch, `HOME_FULL` / `HOME_UNWRITABLE` (exit 6) when the store
   * fails; after a rejection every later call rejects too.
   */
  append(records: readonly LogRecord[]): Promise<void>;
  /** Aborted as soon as this epoch can write no more. Nothing may be started after it. */
  readonly signal: AbortSignal;
}

/** A held stage. */
export interface Epoch extends Journal {
  /** State as of the newest record, open intents of earlier epochs included. Grows with each append. */
  snapshot(): Snapshot;
  /** Writes the snapshot, then the end of the epoch. Idempotent. */
  end(status: EpochStatus): Promise<void>;
}

/** The newest thing in a stage's log. */
export interface Head {
  /** 0 when the log is empty. */
  readonly slot: number;
  readonly hash: string;
  readonly epoch: number;
  /** Who holds the stage, or null when the last epoch has ended. */
  readonly holder: Holder | null;
}

export interface Holder {
  readonly owner: Owner;
  readonly command: string;
  readonly version: string;
  /** ISO 8601. */
  readonly since: string;
  /** ISO 8601 of the newest record. */
  readonly lastSeen: string;
}

export interface StageReading {
  readonly snapshot: Snapshot;
  readonly head: Head;
  /** What was noticed while reading and is not an error, such as a torn last file. */
  readonly notes: readonly string[];
}

export interface BeginOptions {
  /** Who takes the stage. */
  readonly owner: Owner;
  readonly command: string;
  /** Version of this tool. */
  readonly version: string;
  /** How long to wait for a live holder; 0 refuses at once. */
  readonly lockTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Told once a second while waiting. */
  readonly onWait?: (holder: Holder, waitedMs: number) => void;
}

/** One stage's log. */
export interface StageLog {
  readonly app: string;
  readonly stage: string;
  /** @throws DiagnosticError `STATE_CORRUPT`, `STATE_TOO_NEW`, `HOME_UNREADABLE` (exit 6) */
  read(): Promise<StageReading>;
  /**
   * Takes the stage by appending the start of an epoch right behind `head`.
   *
   * @returns the epoch, or "moved" when another writer was there first and has let go again: read and plan anew
   * @throws DiagnosticError `STAGE_LOCKED` (exit 3) naming the holder
   */
  begin(head: Head, options: BeginOptions): Promise<Epoch | "moved">;
  /**
   * Ends the open epoch of another holder.
   *
   * @throws DiagnosticError `STAGE_LOCKED` (exit 3) when that holder is provably alive and `force` is not set
   */
  unlock(options: BeginOptions & { readonly force: boolean }): Promise<"unlocked" | "not-locked">;
  /** Every committed epoch, newest first. */
  history(limit: number): Promise<readonly EpochSummary[]>;
  /** State as it was at the end of an epoch. @throws DiagnosticError `SERIAL_UNKNOWN` */
  at(serial: number): Promise<Snapshot>;
  /** Deletes frames and snapshots that nothing needs any more; never the frame behind an epoch's end. */
  prune(): Promise<void>;
}

export interface EpochSummary {
  readonly serial: number;
  readonly epoch: number;
  readonly command: string;
  readonly who: string;
  readonly status: EpochStatus | "open";
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly resources: number;
}
