import type { Segment } from "./blob-store.ts";
import { parseChecksumAlgorithm, type StoredChecksum } from "./checksum/checksum.ts";

/** Response headers by lower-case name, or tags by key. */
export type TextMap = Readonly<Record<string, string>>;

export function writeSegments(segments: readonly Segment[]): string {
  return JSON.stringify(segments.map(({ blob, size }) => [blob, size]));
}

export function parseSegments(value: unknown): readonly Segment[] {
  if (!Array.isArray(value)) throw new Error("segments are not an array");
  return value.map((entry: unknown) => {
    if (!Array.isArray(entry)) throw new Error("a segment is not a pair");
    const [blob, size]: unknown[] = entry;
    if (typeof blob !== "string" || typeof size !== "number") throw new Error("not a segment");
    return { blob, size };
  });
}

export function parseTextMap(value: unknown): TextMap {
  if (typeof value !== "object" || value === null) throw new Error("not a map of texts");
  return Object.fromEntries(
    Object.entries(value).map(([name, text]: [string, unknown]) => {
      if (typeof text !== "string") throw new Error(`${name} is not a text`);
      return [name, text];
    }),
  );
}

/**
 * `null`, or `{ algorithm, type, value }`; an upload that has no parts yet stores an empty value.
 */
export function parseStoredChecksum(value: unknown): StoredChecksum | null {
  if (value === null) return null;
  const { algorithm, type, value: digest } = parseTextMap(value);
  const known = parseChecksumAlgorithm(algorithm ?? "");
  if (known === null || digest === undefined) throw new Error("not a checksum");
  if (type !== "FULL_OBJECT" && type !== "COMPOSITE") throw new Error("not a checksum type");
  return { algorithm: known, type, value: digest };
}
