import type { Head, StageReading } from "../journal.ts";
import type { Frame } from "./frame.ts";
import { Replay } from "./replay.ts";
import { slotKey } from "./slot-key.ts";
import type { Checkpoint, EpochStart } from "./snapshot-file.ts";
import { type StagePlace, stateCorrupt } from "./stage-place.ts";

/** A stage as read, with what its next writer needs. */
export interface StageState extends StageReading {
  /** Slot of the frame that began the newest epoch; 0 before the first. */
  readonly start: number;
  /** How the newest epoch began, while it is open. */
  readonly open: EpochStart | null;
}

/** What is in one slot. `hash` is what the next frame must name. */
export interface LoadedFrame {
  readonly slot: number;
  readonly hash: string;
  readonly frame: Frame | null;
  readonly state: "whole" | "torn" | "damaged" | "missing";
  /** Why there is no frame. */
  readonly why: string;
}

/** Where a walk begins. `unusable`: newer snapshots that could not be read, newest first. */
export interface WalkBase {
  readonly checkpoint: Checkpoint;
  readonly unusable: readonly { readonly key: string; readonly why: string }[];
}

/**
 * Follows the chain of frames from a snapshot to the head and checks that each names the one before. A torn file is
 * stepped over where the next frame names its very bytes (its writer saw it and went on behind it) and at the end of
 * the log, where nobody was ever told that it was written. Everything else that is not whole is corruption.
 */
export class ChainWalk {
  readonly #place: StagePlace;
  readonly #base: WalkBase;
  readonly #replay: Replay;
  #slot: number;
  #hash: string;
  #epoch: number;
  #start: number;
  #open: EpochStart | null;
  #lastGood: number;
  #lastAt: string | null = null;
  /** Torn files behind the last whole frame. */
  #torn: LoadedFrame[] = [];

  constructor(place: StagePlace, base: WalkBase) {
    const { snapshot, hash, epoch, start, open } = base.checkpoint;
    this.#place = place;
    this.#base = base;
    this.#replay = new Replay(snapshot);
    this.#slot = snapshot.serial;
    this.#lastGood = snapshot.serial;
    this.#hash = hash;
    this.#epoch = epoch;
    this.#start = start;
    this.#open = open;
  }

  /** @throws DiagnosticError `STATE_CORRUPT` */
  step(loaded: LoadedFrame): void {
    if (loaded.frame !== null) this.#follow(loaded.frame);
    else if (loaded.state === "torn") this.#torn.push(loaded);
    else throw this.#unreadable(loaded);
    this.#slot = loaded.slot;
    this.#hash = loaded.hash;
  }

  /**
   * @param headAt when the head frame was written, for a walk of no steps
   * @throws DiagnosticError `STATE_CORRUPT` when the log has frames and none is good
   */
  end(headAt: string | null): StageState {
    const first = this.#torn[0];
    if (first !== undefined && this.#lastGood === 0 && this.#slot > 1)
      throw this.#corrupt(first.slot, first.why);
    const snapshot = this.#replay.snapshot();
    const lastSeen = this.#lastAt ?? headAt;
    const holder = this.#open === null ? null : holderOf(this.#open, lastSeen);
    const head: Head = { slot: this.#slot, hash: this.#hash, epoch: this.#epoch, holder };
    const atHead = snapshot.serial === this.#slot ? snapshot : { ...snapshot, serial: this.#slot };
    return { snapshot: atHead, head, notes: this.#notes(), start: this.#start, open: this.#open };
  }

  #follow(frame: Frame): void {
    if (frame.previous !== this.#hash) {
      const torn = this.#torn[0];
      if (torn !== undefined) throw this.#corrupt(torn.slot, torn.why);
      throw this.#corrupt(frame.slot, "it does not follow the frame before it");
    }
    try {
      this.#replay.apply(frame.slot, frame.records);
    } catch (error) {
      throw this.#corrupt(frame.slot, error instanceof Error ? error.message : String(error));
    }
    for (const record of frame.records) {
      if (record.kind === "epoch-start") this.#open = record;
      if (record.kind === "epoch-end") this.#open = null;
    }
    this.#epoch = frame.epoch;
    this.#start = frame.start;
    this.#lastAt = frame.at;
    this.#lastGood = frame.slot;
    this.#torn = [];
  }

  #notes(): string[] {
    const { logPrefix } = this.#place;
    return [
      ...this.#base.unusable.map(
        ({ key, why }) => `The snapshot ${key} was not used: ${why}. The log says the same.`,
      ),
      ...this.#torn.map(
        ({ slot, why }) => `The file ${logPrefix}${slotKey(slot)} was ignored: ${why}.`,
      ),
    ];
  }

  /** A frame that is gone was pruned because of a snapshot; where that one is damaged, it is the culprit. */
  #unreadable(loaded: LoadedFrame): Error {
    const snapshot = this.#base.unusable.find(({ why }) => why !== "it is missing");
    if (loaded.state === "missing" && snapshot !== undefined)
      return stateCorrupt(this.#place.store, snapshot.key, snapshot.why, this.#lastGood);
    return this.#corrupt(loaded.slot, loaded.why);
  }

  #corrupt(slot: number, why: string): Error {
    const { store, logPrefix } = this.#place;
    return stateCorrupt(store, logPrefix + slotKey(slot), why, this.#lastGood);
  }
}

function holderOf(open: EpochStart, lastSeen: string | null): NonNullable<Head["holder"]> {
  const { owner, command, version, at } = open;
  return { owner, command, version, since: at, lastSeen: lastSeen ?? at };
}
