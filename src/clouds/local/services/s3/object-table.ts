import type { Row } from "../sqlite/row.ts";
import type { Sqlite } from "../sqlite/sqlite.ts";
import type { Segment } from "./blob-store.ts";
import type { StoredChecksum } from "./checksum/checksum.ts";
import {
  parseSegments,
  parseStoredChecksum,
  parseTextMap,
  type TextMap,
  writeSegments,
} from "./stored-json.ts";

export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  /** One per part; none when empty. */
  readonly segments: readonly Segment[];
  readonly size: number;
  /** Without quotes: MD5 (hex), or MD5 of the parts' MD5s with `-<parts>`. */
  readonly etag: string;
  readonly modifiedMs: number;
  /** What GetObject answers with: `content-type`, `x-amz-meta-*` and the like. */
  readonly headers: TextMap;
  readonly checksum: StoredChecksum | null;
  readonly tags: TextMap;
}

/** The little that listings need. */
export type ObjectSummary = Pick<
  StoredObject,
  "key" | "size" | "etag" | "modifiedMs" | "headers" | "checksum"
>;

const SUMMARY = "key, size, etag, modified_ms, headers, checksum";

/** The objects of one stage's buckets. Writing methods run inside a commit. */
export class ObjectTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  find(bucket: string, key: string): StoredObject | null {
    const row = this.#database.get(
      `SELECT ${SUMMARY}, segments, tags FROM objects WHERE bucket = ? AND key = ?`,
      [bucket, Buffer.from(key)],
    );
    if (row === null) return null;
    return {
      ...summaryOf(row),
      bucket,
      segments: parseSegments(row.json("segments")),
      tags: parseTextMap(row.json("tags")),
    };
  }

  /**
   * Up to `limit` objects whose keys lie, as bytes, in `[from, to)`; in byte order. `to` null: no
   * upper bound.
   */
  list(
    bucket: string,
    from: Uint8Array,
    to: Uint8Array | null,
    limit: number,
  ): readonly ObjectSummary[] {
    const bound = to === null ? "" : "AND key < ?";
    const values = to === null ? [bucket, from, limit] : [bucket, from, to, limit];
    return this.#database
      .all(
        `SELECT ${SUMMARY} FROM objects WHERE bucket = ? AND key >= ? ${bound}
         ORDER BY key LIMIT ?`,
        values,
      )
      .map(summaryOf);
  }

  save(object: StoredObject): void {
    this.#database.run(
      `INSERT OR REPLACE INTO objects
         (bucket, key, segments, size, etag, modified_ms, headers, checksum, tags)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        object.bucket,
        Buffer.from(object.key),
        writeSegments(object.segments),
        object.size,
        object.etag,
        object.modifiedMs,
        JSON.stringify(object.headers),
        JSON.stringify(object.checksum),
        JSON.stringify(object.tags),
      ],
    );
  }

  delete(bucket: string, key: string): void {
    this.#database.run("DELETE FROM objects WHERE bucket = ? AND key = ?", [
      bucket,
      Buffer.from(key),
    ]);
  }
}

function summaryOf(row: Row): ObjectSummary {
  return {
    key: row.bytes("key").toString("utf8"),
    size: row.integer("size"),
    etag: row.text("etag"),
    modifiedMs: row.integer("modified_ms"),
    headers: parseTextMap(row.json("headers")),
    checksum: parseStoredChecksum(row.json("checksum")),
  };
}
