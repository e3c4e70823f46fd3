import type { StoredObject } from "./object-table.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { noSuchKey, preconditionFailed } from "./s3-error.ts";

type Validators = Pick<StoredObject, "etag" | "modifiedMs">;

/**
 * Judges the conditions of a read as RFC 9110, section 13.2.2, orders them; `prefix` is
 * `x-amz-copy-source-` for a copy's source.
 *
 * @returns whether the answer is 304
 * @throws S3Error `PreconditionFailed`
 */
export function checkReadConditions(
  headers: RequestHeaders,
  object: Validators,
  prefix = "",
): "proceed" | "not-modified" {
  const ifMatch = headers.get(`${prefix}if-match`);
  const unmodifiedSince = parseDate(headers.get(`${prefix}if-unmodified-since`));
  const noneMatch = headers.get(`${prefix}if-none-match`);
  const modifiedSince = parseDate(headers.get(`${prefix}if-modified-since`));
  if (ifMatch !== null && !matches(ifMatch, object.etag)) throw preconditionFailed("If-Match");
  if (ifMatch === null && unmodifiedSince !== null && isAfter(object, unmodifiedSince))
    throw preconditionFailed("If-Unmodified-Since");
  if (noneMatch !== null) return matches(noneMatch, object.etag) ? "not-modified" : "proceed";
  if (modifiedSince !== null && !isAfter(object, modifiedSince)) return "not-modified";
  return "proceed";
}

/**
 * Judges the conditions of a write against what stands there now; call it inside the commit.
 *
 * @throws S3Error `PreconditionFailed`, or `NoSuchKey` for If-Match on nothing
 */
export function checkWriteConditions(
  headers: RequestHeaders,
  key: string,
  current: Validators | null,
): void {
  const ifMatch = headers.get("if-match");
  const noneMatch = headers.get("if-none-match");
  if (ifMatch !== null && current === null) throw noSuchKey(key);
  if (ifMatch !== null && current !== null && !matches(ifMatch, current.etag))
    throw preconditionFailed("If-Match");
  if (noneMatch !== null && current !== null && matches(noneMatch, current.etag))
    throw preconditionFailed("If-None-Match");
}

/** Whether a list of entity tags, or `*`, holds this one. */
function matches(list: string, etag: string): boolean {
  if (list.trim() === "*") return true;
  const tags = list.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.some((tag) => tag === etag || tag === `"${etag}"`);
}

/** HTTP dates have whole seconds. */
function isAfter(object: Validators, dateMs: number): boolean {
  return Math.floor(object.modifiedMs / 1000) > Math.floor(dateMs / 1000);
}

/** A date that cannot be read counts as no condition (RFC 9110, section 13.1.3). */
function parseDate(text: string | null): number | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
