import { slotKey, slotOf } from "../log/slot-key.ts";
import { stateCorrupt, stateTooNew } from "../log/stage-place.ts";
import type { Store } from "../store.ts";
import { readSecretsFrame, type SecretEntry } from "./secrets-frame.ts";

/** The newest commit of a secrets log. */
export interface SecretsHead {
  /** Slot of the newest file, torn or not; 0 when the log is empty. */
  readonly slot: number;
  readonly hash: string;
  /** By name. */
  readonly entries: readonly SecretEntry[];
}

/** How many torn files at the end of a log are stepped over before it counts as damaged. */
const TORN_MAX = 8;

/**
 * Reads a secrets log: one listing, one read. Torn files at its end were never acknowledged and are stepped over.
 *
 * @throws DiagnosticError `STATE_CORRUPT`, `STATE_TOO_NEW` (exit 6)
 */
export async function readSecretsHead(store: Store, prefix: string): Promise<SecretsHead> {
  const keys = await store.list(prefix, TORN_MAX);
  let newest: { readonly slot: number; readonly hash: string } | null = null;
  for (const key of keys) {
    const slot = slotOf(key);
    const bytes = await store.get(key);
    if (slot === null || bytes === null) continue;
    const reading = readSecretsFrame(bytes, slot);
    if (reading.kind === "damaged") throw stateCorrupt(store, key, reading.why, 0);
    if (reading.kind === "too-new") throw stateTooNew(store, key, reading.requires);
    newest ??= { slot, hash: reading.hash };
    if (reading.kind === "whole") return { ...newest, entries: reading.frame.entries };
  }
  if (newest === null) return { slot: 0, hash: "", entries: [] };
  if (newest.slot === 1) return { ...newest, entries: [] };
  throw stateCorrupt(store, prefix + slotKey(newest.slot), "it ends in the middle", 0);
}
