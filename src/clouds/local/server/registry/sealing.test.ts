import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localFolders } from "../../folders.ts";
import { createServerKey, keyFileOf, readServerKey } from "./key-file.ts";
import { REGISTRY_FORMAT } from "./record.ts";
import { writeRecord } from "./record-files.ts";
import { createSealing } from "./sealing.ts";
import { openServerSealing } from "./server-sealing.ts";

let folder: string;
let keyFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scrim-sealing-"));
  keyFile = join(folder, "keys", "home.key");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = { stageKey: "a-shop.s-dev", type: "local:function", name: "fn" };
const content = { environment: { TOKEN: "hunter2" } };

describe("sealing", () => {
  it("gives back what was sealed, and hides it", async () => {
    const sealing = createSealing(await createServerKey(keyFile));
    const sealed = sealing.seal(place, content);
    expect(sealed).not.toContain("hunter2");
    expect(sealing.unseal(place, sealed)).toEqual(content);
    expect(sealing.seal(place, content)).not.toBe(sealed);
  });

  it("is bound to stage, type and name", async () => {
    const sealing = createSealing(await createServerKey(keyFile));
    const sealed = sealing.seal(place, content);
    for (const other of [{ stageKey: "a-shop.s-prod" }, { type: "local:api" }, { name: "fm" }]) {
      expect(() => sealing.unseal({ ...place, ...other }, sealed)).toThrow("cannot be decrypted");
    }
  });

  it("refuses what was changed, cut short or sealed with another key", async () => {
    const sealing = createSealing(await createServerKey(keyFile));
    const other = createSealing(await createServerKey(join(folder, "other.key")));
    const sealed = sealing.seal(place, content);
    const changed = `${sealed.slice(0, -1)}${sealed.endsWith("A") ? "B" : "A"}`;
    for (const bad of [changed, sealed.slice(0, 30), "", "v1", other.seal(place, content)]) {
      expect(() => sealing.unseal(place, bad)).toThrow("cannot be decrypted");
    }
  });
});

describe("the server's key", () => {
  it("is made once, for its owner alone, also when several make it", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => createServerKey(keyFile)));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  it("lies outside the home", () => {
    expect(keyFileOf("h1", { SCRIM_KEY_DIR: "/k" })).toBe(join("/k", "local", "h1.key"));
    expect(keyFileOf("h1", { XDG_CONFIG_HOME: "/c" })).toBe(join("/c", "scrim", "local", "h1.key"));
  });

  it("is not made anew when something was sealed with one that is missing", async () => {
    const folders = localFolders(folder);
    await writeRecord(folders.stage("a-shop.s-dev").registry, {
      format: REGISTRY_FORMAT,
      ...{ type: "local:function", name: "fn", status: "ready", token: "" },
      ...{ tags: {}, spec: {}, sealed: "v1.x.y", outputs: {}, port: null },
    });
    const { sealing } = await openServerSealing(keyFile, folders);
    await expect(sealing()).rejects.toMatchObject({ diagnostics: [{ code: "LOCAL_KEY_MISSING" }] });
    expect(await readServerKey(keyFile)).toBeNull();
  });

  it("that is damaged is told and not replaced", async () => {
    await createServerKey(keyFile);
    writeFileSync(keyFile, "");
    const { sealing } = await openServerSealing(keyFile, localFolders(folder));
    await expect(sealing()).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_KEY_UNREADABLE" }],
    });
  });
});
