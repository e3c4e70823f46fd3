import { join } from "node:path";
import { makeServiceFolder } from "../service-folder.ts";
import { Sqlite } from "../sqlite/sqlite.ts";
import { BlobStore } from "./blob-store.ts";
import { BucketTable } from "./bucket-table.ts";
import { ObjectTable } from "./object-table.ts";
import { S3_MIGRATIONS } from "./schema.ts";
import { UploadTable } from "./upload-table.ts";

/** Everything S3 keeps for one stage: rows in `s3.sqlite`, bytes under `blobs/`. */
export class S3Store {
  readonly database: Sqlite;
  readonly blobs: BlobStore;
  readonly buckets: BucketTable;
  readonly objects: ObjectTable;
  readonly uploads: UploadTable;
  /** Settles when what a crash left behind is deleted. */
  readonly swept: Promise<void>;

  private constructor(database: Sqlite, blobs: BlobStore, leftOver: readonly string[]) {
    this.database = database;
    this.blobs = blobs;
    this.buckets = new BucketTable(database);
    this.objects = new ObjectTable(database);
    this.uploads = new UploadTable(database);
    // What cannot be swept stays garbage until the next start; it is no reason to fail.
    this.swept = this.#sweep(leftOver).catch(() => undefined);
  }

  static async open(folder: string): Promise<S3Store> {
    await makeServiceFolder(folder);
    const database = new Sqlite(join(folder, "s3.sqlite"), S3_MIGRATIONS);
    const blobs = new BlobStore(join(folder, "blobs"));
    return new S3Store(database, blobs, await blobs.list());
  }

  async close(): Promise<void> {
    await this.swept;
    this.database.close();
  }

  async #sweep(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    const named = new Set(
      ["objects", "parts"].flatMap((table) =>
        this.database
          .all(`SELECT value ->> 0 AS blob FROM ${table}, json_each(${table}.segments)`)
          .map((row) => row.text("blob")),
      ),
    );
    await this.blobs.sweep(files, (blob) => named.has(blob));
  }
}
