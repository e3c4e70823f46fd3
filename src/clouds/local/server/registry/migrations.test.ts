import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LocalFolders, localFolders } from "../../folders.ts";
import { type Migration, migrateRegistry } from "./migrations.ts";

let home: string;
let folders: LocalFolders;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "scrim-migrations-"));
  folders = localFolders(home);
  mkdirSync(folders.root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Formats 1 and 2 of a world in which the present one is 3. */
const target = {
  format: 3,
  migrations: new Map<number, Migration>([
    [1, (record) => ({ ...record, second: true })],
    [2, (record) => ({ ...record, third: true })],
  ]),
};

function writeOld(stageKey: string, name: string, record: Record<string, unknown>): string {
  const { registry } = folders.stage(stageKey);
  mkdirSync(registry, { recursive: true });
  const file = join(registry, name);
  writeFileSync(file, JSON.stringify(record));
  return file;
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;

describe("a registry of an older format", () => {
  it("is backed up and brought forward step by step", async () => {
    const file = writeOld("a-shop.s-dev", "local-api.s-x.json", { format: 1, name: "x" });
    const backup = await migrateRegistry(folders, target);
    expect(read(file)).toEqual({ format: 3, name: "x", second: true, third: true });
    expect(read(folders.format)).toEqual({ format: 3 });
    const kept = join(backup ?? "", "a-shop.s-dev", "local-api.s-x.json");
    expect(read(kept)).toEqual({ format: 1, name: "x" });
  });

  it("goes on where a crash has stopped it", async () => {
    const done = writeOld("a-shop.s-dev", "local-api.s-a.json", { format: 3, name: "a" });
    const left = writeOld("a-shop.s-dev", "local-api.s-b.json", { format: 2, name: "b" });
    await migrateRegistry(folders, target);
    expect(read(done)).toEqual({ format: 3, name: "a" });
    expect(read(left)).toEqual({ format: 3, name: "b", third: true });
  });

  it("keeps the backup of each migration", async () => {
    writeOld("a-shop.s-dev", "local-api.s-a.json", { format: 1 });
    await migrateRegistry(folders, target);
    writeOld("a-shop.s-dev", "local-api.s-b.json", { format: 1 });
    await migrateRegistry(folders, target);
    expect(readdirSync(folders.backups)).toEqual(["registry-0001", "registry-0002"]);
  });
});

describe("a registry", () => {
  it("of the present format is left as it is, without a backup", async () => {
    writeOld("a-shop.s-dev", "local-api.s-a.json", { format: 3 });
    expect(await migrateRegistry(folders, target)).toBeNull();
    expect(readdirSync(folders.root).sort()).toEqual(["a-shop.s-dev", "format.json"]);
  });

  it("of a newer format is refused and not touched", async () => {
    writeFileSync(folders.format, '{"format": 4}');
    const file = writeOld("a-shop.s-dev", "local-api.s-a.json", { format: 4 });
    await expect(migrateRegistry(folders, target)).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_REGISTRY_NEWER", exit: 2 }],
    });
    expect(read(file)).toEqual({ format: 4 });
  });

  it("whose format number is damaged is refused", async () => {
    writeFileSync(folders.format, "\0\0\0");
    await expect(migrateRegistry(folders, target)).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_REGISTRY_UNREADABLE", exit: 6 }],
    });
  });
});
