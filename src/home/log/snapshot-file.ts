import type { LogRecord } from "../../model/record.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { type Envelope, openEnvelope, sealEnvelope } from "./envelope.ts";
import { FormError, intAt, listAt, objectAt, objectOf, textAt, type Unparsed } from "./form.ts";
import { FORMAT, newerFormat } from "./frame.ts";
import { parseStart } from "./record-parser.ts";

export type EpochStart = LogRecord & { readonly kind: "epoch-start" };

/** A state with what is needed to go on reading behind it. */
export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** Hash of the frame in the slot `snapshot.serial`; empty when that is 0. */
  readonly hash: string;
  readonly epoch: number;
  /** Slot of the frame that began that epoch; 0 before the first. */
  readonly start: number;
  /** How that epoch began while it is open at this point, else null. */
  readonly open: EpochStart | null;
}

export type CheckpointReading =
  | { readonly kind: "whole"; readonly checkpoint: Checkpoint }
  | { readonly kind: "damaged"; readonly why: string }
  | { readonly kind: "too-new"; readonly requires: string | null };

/** Writes a snapshot as one line of plain JSON: its checksum is taken over the bytes, so no order of keys is needed. */
export function encodeCheckpoint(checkpoint: Checkpoint): Envelope {
  const { hash, epoch, start, open, snapshot } = checkpoint;
  return sealEnvelope(JSON.stringify({ format: FORMAT, hash, epoch, start, open, snapshot }));
}

/**
 * The one reader of snapshots. The checksum vouches for the resources, which were parsed when they came in; only the
 * frame around them is looked at, so that a large snapshot costs one hash and one JSON.parse.
 */
export function readCheckpoint(
  bytes: Uint8Array,
  expected: { readonly app: string; readonly stage: string; readonly slot: number },
): CheckpointReading {
  const opened = openEnvelope(bytes);
  if (opened.kind === "torn") return { kind: "damaged", why: "it ends in the middle" };
  if (opened.kind === "damaged") return opened;
  try {
    const tooNew = newerFormat(opened.value);
    if (tooNew !== null) return { kind: "too-new", ...tooNew };
    const checkpoint = parseCheckpoint(opened.value);
    const { app, stage, serial } = checkpoint.snapshot;
    if (app === expected.app && stage === expected.stage && serial === expected.slot)
      return { kind: "whole", checkpoint };
    return { kind: "damaged", why: `it is the snapshot of ${app}/${stage} at ${serial}` };
  } catch (error) {
    if (error instanceof FormError) return { kind: "damaged", why: error.message };
    throw error;
  }
}

function parseCheckpoint(value: unknown): Checkpoint {
  const object = objectOf(value, "snapshot file");
  const open = object["open"];
  return {
    hash: textAt(object, "hash"),
    epoch: intAt(object, "epoch"),
    start: intAt(object, "start"),
    open: open === null ? null : parseStart(objectAt(object, "open")),
    snapshot: parseSnapshot(objectAt(object, "snapshot")),
  };
}

function parseSnapshot(object: Unparsed): Snapshot {
  textAt(object, "app");
  textAt(object, "stage");
  textAt(object, "lineage");
  intAt(object, "serial");
  listAt(object, "resources");
  listAt(object, "openIntents");
  if (object["facts"] !== null) objectAt(object, "facts");
  if (object["updatedAt"] !== null) textAt(object, "updatedAt");
  return object as unknown as Snapshot;
}
