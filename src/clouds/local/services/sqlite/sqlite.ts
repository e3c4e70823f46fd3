import Database from "libsql";
import { EXIT, fail } from "../../../../model/diagnostic.ts";
import { Row } from "./row.ts";

export type SqlValue = string | number | null | Uint8Array;

interface Job {
  /** Does the work and returns what tells its caller of success. */
  readonly run: () => () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One SQLite file with durable commits: when {@link Sqlite.commit} resolves, its work is on the
 * disk (`synchronous = FULL`). Work queued in the same turn of the event loop shares one commit,
 * and so one fsync.
 */
export class Sqlite {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #queue: Job[] = [];
  #closed = false;

  /**
   * Opens or makes the file, in a folder that exists, and brings its schema forward.
   *
   * @param migrations statements by schema version; the file's `user_version` counts those applied.
   * Append only.
   * @throws DiagnosticError `LOCAL_DATA_TOO_NEW` (exit 6)
   */
  constructor(file: string, migrations: readonly string[]) {
    this.#database = new Database(file);
    this.#database.pragma("journal_mode = WAL");
    this.#database.pragma("synchronous = FULL");
    this.#migrate(file, migrations);
  }

  get(sql: string, values: readonly SqlValue[] = []): Row | null {
    const columns = this.#statement(sql).get([...values]);
    return columns === undefined ? null : new Row(columns);
  }

  all(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#statement(sql)
      .all([...values])
      .map((columns) => new Row(columns));
  }

  /** Changes something; only inside {@link commit}. Returns the number of rows changed. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    return this.#statement(sql).run([...values]).changes;
  }

  /**
   * Runs `work` in a transaction and resolves with its result when that is durable. When `work`
   * throws, nothing of it remains and the promise rejects with what it threw. `work` must be
   * synchronous.
   */
  commit<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error("the database is closed");
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      this.#queue.push({ run, reject });
      if (this.#queue.length === 1) setImmediate(() => this.#flush());
    });
  }

  /** Commits what is queued and closes the file. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#flush();
    this.#statements.clear();
    this.#database.close();
  }

  #flush(): void {
    const batch = this.#queue;
    this.#queue = [];
    if (batch.length === 0) return;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      const settlements = batch.map((job) => this.#attempt(job));
      this.#database.exec("COMMIT");
      for (const settle of settlements) settle();
    } catch (error) {
      this.#rollBack();
      for (const job of batch) job.reject(error);
    }
  }

  /**
   * A failure of the job is that job's alone; a failure of the savepoint itself fails the whole
   * batch.
   */
  #attempt(job: Job): () => void {
    this.#database.exec("SAVEPOINT job");
    try {
      const settle = job.run();
      this.#database.exec("RELEASE job");
      return settle;
    } catch (error) {
      this.#database.exec("ROLLBACK TO job");
      this.#database.exec("RELEASE job");
      return () => job.reject(error);
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full; the first error is the
      // one to tell.
    }
  }

  #migrate(file: string, migrations: readonly string[]): void {
    const version = this.get("PRAGMA user_version")?.integer("user_version") ?? 0;
    if (version > migrations.length)
      throw fail("LOCAL_DATA_TOO_NEW", `${file} was written by a newer version of Scrim`, {
        why: `Its schema is ${version}; this version knows schemas up to ${migrations.length}.`,
        hint: "Upgrade Scrim, or remove the stage with the version that wrote the file.",
        exit: EXIT.home,
      });
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      this.#database.exec(
        `BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT;`,
      );
    }
    this.#statements.clear();
  }

  #statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
