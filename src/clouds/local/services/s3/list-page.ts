import { successorOf } from "./object-key.ts";
import type { ObjectSummary, ObjectTable } from "./object-table.ts";

export interface ListPageQuery {
  readonly bucket: string;
  readonly prefix: string;
  /** Empty for none. */
  readonly delimiter: string;
  /** Where to begin, as the bytes of a key; that key included. */
  readonly from: Uint8Array;
  /** Objects and common prefixes together. */
  readonly max: number;
}

export interface ListPage {
  readonly objects: readonly ObjectSummary[];
  readonly prefixes: readonly string[];
  /** The `from` of the next page; null when this is the last. */
  readonly next: Buffer | null;
  /** The last object's key or common prefix, whichever sorts later; empty when the page is. */
  readonly last: string;
}

/**
 * One page of a bucket in byte order. Jumps over what a common prefix covers instead of reading it.
 */
export function listPage(table: ObjectTable, query: ListPageQuery): ListPage {
  const objects: ObjectSummary[] = [];
  const prefixes: string[] = [];
  const end = query.prefix === "" ? null : successorOf(Buffer.from(query.prefix));
  let cursor = later(Buffer.from(query.prefix), Buffer.from(query.from));
  let last = "";
  if (query.max === 0) return { objects, prefixes, next: null, last };
  for (;;) {
    const left = query.max - objects.length - prefixes.length;
    const rows = table.list(query.bucket, cursor, end, left + 1);
    if (rows.length === 0) return { objects, prefixes, next: null, last };
    for (const row of rows) {
      const key = Buffer.from(row.key);
      if (Buffer.compare(key, cursor) < 0) continue;
      if (objects.length + prefixes.length === query.max)
        return { objects, prefixes, next: cursor, last };
      const common = commonPrefixOf(row.key, query);
      if (common === null) objects.push(row);
      else prefixes.push(common);
      last = common ?? row.key;
      const next = common === null ? afterKey(key) : successorOf(Buffer.from(common));
      if (next === null) return { objects, prefixes, next: null, last };
      cursor = next;
    }
  }
}

/** The smallest byte string after a key. */
export function afterKey(key: Uint8Array): Buffer {
  return Buffer.concat([key, Buffer.alloc(1)]);
}

function commonPrefixOf(key: string, query: ListPageQuery): string | null {
  if (query.delimiter === "") return null;
  const at = key.indexOf(query.delimiter, query.prefix.length);
  return at < 0 ? null : key.slice(0, at + query.delimiter.length);
}

function later(left: Buffer, right: Buffer): Buffer {
  return Buffer.compare(left, right) < 0 ? right : left;
}
