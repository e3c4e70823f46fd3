import type { LogRecord } from "../../model/record.ts";
import { type Envelope, openEnvelope, sealEnvelope } from "./envelope.ts";
import { FormError, intAt, listAt, objectOf, textAt } from "./form.ts";
import { parseRecord, UnknownKind } from "./record-parser.ts";

/** The newest form of files that this version reads and the one that it writes. */
export const FORMAT = 1;

/** What a frame says of itself, besides its records. */
export interface FrameHeader {
  readonly slot: number;
  readonly epoch: number;
  /** Slot of the frame that began this epoch. */
  readonly start: number;
  /** Random identity of the writer, 32 hex digits; two frames of equal content by two writers still differ. */
  readonly writer: string;
  /** Hash of the frame in the slot before; empty for slot 1. */
  readonly previous: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface Frame extends FrameHeader {
  readonly records: readonly LogRecord[];
}

/** What the bytes in a slot turned out to be. `hash` is what the next frame names as `previous`. */
export type FrameReading =
  | { readonly kind: "whole"; readonly frame: Frame; readonly hash: string }
  | { readonly kind: "torn"; readonly hash: string }
  | { readonly kind: "damaged"; readonly hash: string; readonly why: string }
  | { readonly kind: "too-new"; readonly hash: string; readonly requires: string | null };

/** Writes a frame from its header and the JSON texts of its records. */
export function encodeFrame(header: FrameHeader, recordTexts: readonly string[]): Envelope {
  const { slot, epoch, start, writer, previous, at } = header;
  const head = JSON.stringify({ format: FORMAT, slot, epoch, start, writer, previous, at });
  return sealEnvelope(`${head.slice(0, -1)},"records":[${recordTexts.join(",")}]}`);
}

/** The one reader of frames. Never throws. */
export function readFrame(bytes: Uint8Array, slot: number): FrameReading {
  const opened = openEnvelope(bytes);
  if (opened.kind !== "whole") return opened;
  const { hash } = opened;
  try {
    const tooNew = newerFormat(opened.value);
    if (tooNew !== null) return { kind: "too-new", hash, ...tooNew };
    const frame = parseFrame(opened.value);
    if (frame.slot === slot) return { kind: "whole", frame, hash };
    return { kind: "damaged", hash, why: `it is the frame of slot ${frame.slot}` };
  } catch (error) {
    if (error instanceof UnknownKind) return { kind: "too-new", hash, requires: null };
    if (error instanceof FormError) return { kind: "damaged", hash, why: error.message };
    throw error;
  }
}

/** Set when a file was written in a form this version does not know; `requires` names the version that does. */
export function newerFormat(value: unknown): { readonly requires: string | null } | null {
  const object = objectOf(value, "file");
  if (intAt(object, "format") <= FORMAT) return null;
  return { requires: typeof object["requires"] === "string" ? object["requires"] : null };
}

function parseFrame(value: unknown): Frame {
  const object = objectOf(value, "frame");
  return {
    slot: intAt(object, "slot"),
    epoch: intAt(object, "epoch"),
    start: intAt(object, "start"),
    writer: textAt(object, "writer"),
    previous: textAt(object, "previous"),
    at: textAt(object, "at"),
    records: listAt(object, "records").map(parseRecord),
  };
}
