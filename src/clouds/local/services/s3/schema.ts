/**
 * Keys are blobs: SQLite then orders them by byte, as S3 does, and keeps any byte in them.
 * `segments` is a JSON array of `[blob id, size]`; the bytes lie in files (blob-store.ts), which
 * are garbage unless a row names them.
 */
export const S3_MIGRATIONS: readonly string[] = [
  `CREATE TABLE buckets(
     name TEXT PRIMARY KEY,
     cors TEXT NOT NULL,
     created_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE objects(
     bucket TEXT NOT NULL,
     key BLOB NOT NULL,
     segments TEXT NOT NULL,
     size INTEGER NOT NULL,
     etag TEXT NOT NULL,
     modified_ms INTEGER NOT NULL,
     headers TEXT NOT NULL,
     checksum TEXT NOT NULL,
     tags TEXT NOT NULL,
     PRIMARY KEY(bucket, key)
   ) STRICT;
   CREATE TABLE uploads(
     id TEXT PRIMARY KEY,
     bucket TEXT NOT NULL,
     key BLOB NOT NULL,
     initiated_ms INTEGER NOT NULL,
     headers TEXT NOT NULL,
     tags TEXT NOT NULL,
     checksum TEXT NOT NULL
   ) STRICT;
   CREATE INDEX uploads_by_key ON uploads(bucket, key, id);
   CREATE TABLE parts(
     upload TEXT NOT NULL,
     number INTEGER NOT NULL,
     segments TEXT NOT NULL,
     size INTEGER NOT NULL,
     etag TEXT NOT NULL,
     modified_ms INTEGER NOT NULL,
     checksum TEXT NOT NULL,
     PRIMARY KEY(upload, number)
   ) STRICT`,
];
