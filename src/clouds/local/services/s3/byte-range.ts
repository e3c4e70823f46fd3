import { S3Error } from "./s3-error.ts";

/** From `start` up to and without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a Range header. What is not a single range of bytes is ignored, as HTTP and S3 do: the
 * answer is then whole.
 *
 * @throws S3Error `InvalidRange` (416) when the range lies behind the end
 */
export function parseByteRange(header: string | null, size: number): ByteRange | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return null;
  const first = match[1] === "" ? null : Number(match[1]);
  const last = match[2] === "" ? null : Number(match[2]);
  if (first === null) return suffix(last ?? 0, size, header);
  if (last !== null && last < first) return null;
  if (first >= size) throw notSatisfiable(header, size);
  return { start: first, end: last === null ? size : Math.min(last + 1, size) };
}

function suffix(length: number, size: number, header: string | null): ByteRange {
  if (length === 0 || size === 0) throw notSatisfiable(header, size);
  return { start: Math.max(size - length, 0), end: size };
}

function notSatisfiable(header: string | null, size: number): S3Error {
  return new S3Error(416, "InvalidRange", "The requested range is not satisfiable", {
    RangeRequested: header ?? "",
    ActualObjectSize: String(size),
  });
}
