import type { CorsSpec } from "../../../../components/node.ts";
import type { Sqlite } from "../sqlite/sqlite.ts";
import type { Segment } from "./blob-store.ts";
import { parseCorsSpec } from "./cors-spec.ts";
import { noSuchBucket } from "./s3-error.ts";
import { parseSegments } from "./stored-json.ts";

export interface Bucket {
  readonly name: string;
  readonly cors: CorsSpec | null;
  readonly createdMs: number;
}

/** The buckets of one stage. Writing methods run inside a commit. */
export class BucketTable {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  find(name: string): Bucket | null {
    const row = this.#database.get("SELECT name, cors, created_ms FROM buckets WHERE name = ?", [
      name,
    ]);
    if (row === null) return null;
    const cors = parseCorsSpec(row.json("cors"));
    return { name: row.text("name"), cors, createdMs: row.integer("created_ms") };
  }

  /** @throws S3Error `NoSuchBucket` */
  require(name: string): Bucket {
    const bucket = this.find(name);
    if (bucket === null) throw noSuchBucket(name);
    return bucket;
  }

  names(): readonly string[] {
    return this.#database
      .all("SELECT name FROM buckets ORDER BY name")
      .map((row) => row.text("name"));
  }

  /** Makes the bucket or changes its CORS rules; objects and creation time stay. */
  save(bucket: Bucket): void {
    this.#database.run(
      `INSERT INTO buckets(name, cors, created_ms) VALUES(?, ?, ?)
       ON CONFLICT(name) DO UPDATE SET cors = excluded.cors`,
      [bucket.name, JSON.stringify(bucket.cors), bucket.createdMs],
    );
  }

  /** Deletes the bucket with everything in it and returns what its files were. */
  delete(name: string): readonly Segment[] {
    const inUploads = "upload IN (SELECT id FROM uploads WHERE bucket = ?)";
    const segments = [
      ...this.#database.all("SELECT segments FROM objects WHERE bucket = ?", [name]),
      ...this.#database.all(`SELECT segments FROM parts WHERE ${inUploads}`, [name]),
    ].flatMap((row) => parseSegments(row.json("segments")));
    this.#database.run("DELETE FROM objects WHERE bucket = ?", [name]);
    this.#database.run(`DELETE FROM parts WHERE ${inUploads}`, [name]);
    this.#database.run("DELETE FROM uploads WHERE bucket = ?", [name]);
    this.#database.run("DELETE FROM buckets WHERE name = ?", [name]);
    return segments;
  }
}
