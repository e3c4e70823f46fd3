/**
 * A space is one table's items or one index's entries; its rows sort by dynalite's keys, which are
 * ASCII. A token is that of a transaction that was done, kept so that a repeat of it is recognized.
 */
export const DYNAMODB_MIGRATIONS: readonly string[] = [
  `CREATE TABLE tables(name TEXT PRIMARY KEY, description TEXT NOT NULL) STRICT;
   CREATE TABLE spaces(
     id INTEGER PRIMARY KEY,
     table_name TEXT NOT NULL,
     index_name TEXT NOT NULL,
     UNIQUE(table_name, index_name)
   ) STRICT;
   CREATE TABLE rows(
     space INTEGER NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY(space, key)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tokens(token TEXT PRIMARY KEY, request TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT;
   CREATE INDEX tokens_by_time ON tokens(at_ms)`,
];
