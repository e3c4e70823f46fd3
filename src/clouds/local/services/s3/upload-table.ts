import type { Row } from "../sqlite/row.ts";
import type { Sqlite } from "../sqlite/sqlite.ts";
import type { Segment } from "./blob-store.ts";
import type { StoredChecksum } from "./checksum/checksum.ts";
import { noSuchUpload } from "./s3-error.ts";
import {
  parseSegments,
  parseStoredChecksum,
  parseTextMap,
  type TextMap,
  writeSegments,
} from "./stored-json.ts";

/** A multipart upload that is neither completed nor aborted. */
export interface Upload {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly initiatedMs: number;
  readonly headers: TextMap;
  readonly tags: TextMap;
  /** The algorithm and type the object shall have; its value is empty. */
  readonly checksum: StoredChecksum | null;
}

export interface Part {
  /** 1 to 10000. */
  readonly number: number;
  readonly segments: readonly Segment[];
  readonly size: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly checksum: StoredChecksum | null;
}

const UPLOAD = "id, bucket, key, initiated_ms, headers, tags, checksum";
const PART = "number, segments, size, etag, modified_ms, checksum";

/** The open multipart uploads of one stage. Writing methods run inside a commit. */
export class UploadTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** @throws S3Error `NoSuchUpload` when there is none of this id for this key */
  require(id: string, bucket: string, key: string): Upload {
    const row = this.#database.get(
      `SELECT ${UPLOAD} FROM uploads WHERE id = ? AND bucket = ? AND key = ?`,
      [id, bucket, Buffer.from(key)],
    );
    if (row === null) throw noSuchUpload(id);
    return uploadOf(row);
  }

  /** Uploads whose `(key, id)` sorts after the given pair; by key, then id. */
  list(
    bucket: string,
    after: { readonly key: string; readonly id: string },
    limit: number,
  ): readonly Upload[] {
    return this.#database
      .all(
        `SELECT ${UPLOAD} FROM uploads WHERE bucket = ? AND (key, id) > (?, ?)
         ORDER BY key, id LIMIT ?`,
        [bucket, Buffer.from(after.key), after.id, limit],
      )
      .map(uploadOf);
  }

  create(upload: Upload): void {
    this.#database.run(`INSERT INTO uploads(${UPLOAD}) VALUES(?, ?, ?, ?, ?, ?, ?)`, [
      upload.id,
      upload.bucket,
      Buffer.from(upload.key),
      upload.initiatedMs,
      JSON.stringify(upload.headers),
      JSON.stringify(upload.tags),
      JSON.stringify(upload.checksum),
    ]);
  }

  /** Parts whose number is above `after`, ascending. */
  parts(id: string, after = 0, limit = -1): readonly Part[] {
    return this.#database
      .all(`SELECT ${PART} FROM parts WHERE upload = ? AND number > ? ORDER BY number LIMIT ?`, [
        id,
        after,
        limit,
      ])
      .map(partOf);
  }

  part(id: string, number: number): Part | null {
    const row = this.#database.get(`SELECT ${PART} FROM parts WHERE upload = ? AND number = ?`, [
      id,
      number,
    ]);
    return row === null ? null : partOf(row);
  }

  savePart(id: string, part: Part): void {
    this.#database.run(
      `INSERT OR REPLACE INTO parts(upload, ${PART}) VALUES(?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        part.number,
        writeSegments(part.segments),
        part.size,
        part.etag,
        part.modifiedMs,
        JSON.stringify(part.checksum),
      ],
    );
  }

  /** Forgets the upload and its parts. */
  delete(id: string): void {
    this.#database.run("DELETE FROM parts WHERE upload = ?", [id]);
    this.#database.run("DELETE FROM uploads WHERE id = ?", [id]);
  }
}

function uploadOf(row: Row): Upload {
  return {
    id: row.text("id"),
    bucket: row.text("bucket"),
    key: row.bytes("key").toString("utf8"),
    initiatedMs: row.integer("initiated_ms"),
    headers: parseTextMap(row.json("headers")),
    tags: parseTextMap(row.json("tags")),
    checksum: parseStoredChecksum(row.json("checksum")),
  };
}

function partOf(row: Row): Part {
  return {
    number: row.integer("number"),
    segments: parseSegments(row.json("segments")),
    size: row.integer("size"),
    etag: row.text("etag"),
    modifiedMs: row.integer("modified_ms"),
    checksum: parseStoredChecksum(row.json("checksum")),
  };
}
