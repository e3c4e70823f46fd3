import { invalidArgument } from "./s3-error.ts";

/** Parts are numbered from 1 to 10,000 (S3 user guide, "Multipart upload limits"). */
const PART_NUMBER_MAX = 10_000;

/** @throws S3Error `InvalidArgument` */
export function parsePartNumber(query: ReadonlyMap<string, string>): number {
  const text = query.get("partNumber") ?? "";
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= PART_NUMBER_MAX) return number;
  throw invalidArgument(
    `Part number must be an integer between 1 and ${PART_NUMBER_MAX}, inclusive`,
    "partNumber",
    text,
  );
}
