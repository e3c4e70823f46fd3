import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sqlite } from "./sqlite.ts";

const FIRST = "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT";
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scrim-sqlite-"));
  file = join(folder, "x.sqlite");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function insert(database: Sqlite, id: number): Promise<number> {
  return database.commit(() => database.run("INSERT INTO notes VALUES(?, 'x')", [id]));
}

function ids(database: Sqlite): readonly number[] {
  return database.all("SELECT id FROM notes ORDER BY id").map((row) => row.integer("id"));
}

describe("a database", () => {
  it("keeps a failing job from harming those that share its commit", async () => {
    const database = new Sqlite(file, [FIRST]);
    const failing = database.commit(() => {
      database.run("INSERT INTO notes VALUES(9, 'x')");
      throw new Error("no");
    });
    const results = await Promise.allSettled([
      insert(database, 1),
      failing,
      insert(database, 1),
      insert(database, 2),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(ids(database)).toEqual([1, 2]);
    database.close();
  });

  it("commits what is queued before it closes, and takes nothing after", async () => {
    const database = new Sqlite(file, [FIRST]);
    const queued = insert(database, 1);
    database.close();
    await queued;
    await expect(insert(database, 2)).rejects.toThrow(/closed/);
    const again = new Sqlite(file, [FIRST]);
    expect(ids(again)).toEqual([1]);
    again.close();
  });

  it("brings an older schema forward once and refuses a newer one", async () => {
    const old = new Sqlite(file, [FIRST]);
    await insert(old, 1);
    old.close();
    const migrations = [FIRST, "ALTER TABLE notes ADD COLUMN more TEXT"];
    for (let run = 0; run < 2; run += 1) {
      const database = new Sqlite(file, migrations);
      expect(database.get("SELECT more FROM notes")?.textOrNull("more")).toBeNull();
      database.close();
    }
    expect(() => new Sqlite(file, [FIRST])).toThrow(/newer version/);
  });
});
