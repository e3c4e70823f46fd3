import { createHash } from "node:crypto";

/** A file as it is written: one line of JSON, then the SHA-256 of that line in hex, each ended by a newline. */
export interface Envelope {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/**
 * What a file turned out to be. `torn`: only a beginning of it reached the disk, so nobody was ever told that it was
 * written. `damaged`: it was whole once and is not what was written any more, or never was ours.
 */
export type OpenedEnvelope =
  | { readonly kind: "whole"; readonly value: unknown; readonly hash: string }
  | { readonly kind: "torn"; readonly hash: string }
  | { readonly kind: "damaged"; readonly hash: string; readonly why: string };

const NEWLINE = 0x0a;
/** Newline, 64 hex digits, newline. */
const TRAILER_LENGTH = 66;
/** How every line of ours begins; what begins otherwise is not a torn file but another's. */
const BEGINNING = '{"format":';

/** Adds the checksum to one line of JSON. */
export function sealEnvelope(line: string): Envelope {
  const body = Buffer.from(line, "utf8");
  const hash = sha256(body);
  return { bytes: Buffer.concat([body, Buffer.from(`\n${hash}\n`, "latin1")]), hash };
}

/** Reads a file back and tells whether it is what was written. Never throws. */
export function openEnvelope(bytes: Uint8Array): OpenedEnvelope {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodyLength = whole.length - TRAILER_LENGTH;
  if (isTorn(whole)) return { kind: "torn", hash: sha256(whole) };
  if (bodyLength < 0 || whole[bodyLength] !== NEWLINE || whole.at(-1) !== NEWLINE)
    return { kind: "damaged", hash: sha256(whole), why: "it does not end with its checksum" };
  const body = whole.subarray(0, bodyLength);
  const hash = sha256(body);
  if (hash !== whole.toString("latin1", bodyLength + 1, whole.length - 1))
    return { kind: "damaged", hash: sha256(whole), why: "its checksum does not match" };
  try {
    return { kind: "whole", value: JSON.parse(body.toString("utf8")), hash };
  } catch {
    return { kind: "damaged", hash: sha256(whole), why: "it is not JSON" };
  }
}

/** A beginning of an envelope, perhaps filled up with NUL bytes as some file systems do after a power cut. */
function isTorn(whole: Buffer): boolean {
  let end = whole.length;
  while (end > 0 && whole[end - 1] === 0) end -= 1;
  const start = whole.toString("latin1", 0, Math.min(end, BEGINNING.length));
  if (!BEGINNING.startsWith(start)) return false;
  const newline = whole.subarray(0, end).indexOf(NEWLINE);
  if (newline === -1) return true;
  const checksum = whole.toString("latin1", newline + 1, end);
  return end < newline + TRAILER_LENGTH && /^[0-9a-f]*$/.test(checksum);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
