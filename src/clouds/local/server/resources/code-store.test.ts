import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CodeStore, createCodeStore } from "./code-store.ts";

let folder: string;
let store: CodeStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scrim-code-"));
  store = createCodeStore(join(folder, "code"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function zipOf(files: Record<string, string>): { hash: string; zip: Uint8Array } {
  const entries = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  const zip = zipSync(Object.fromEntries(entries));
  return { hash: createHash("sha256").update(zip).digest("hex"), zip };
}

describe("uploaded code", () => {
  it("is unpacked into a folder named by its hash", async () => {
    const { hash, zip } = zipOf({ "index.mjs": "1", "data/a.txt": "2" });
    expect(await store.has(hash)).toBe(false);
    await store.put(hash, zip);
    expect(await store.has(hash)).toBe(true);
    expect(readFileSync(join(store.folderOf(hash), "data/a.txt"), "utf8")).toBe("2");
  });

  it("may be uploaded several times at once", async () => {
    const { hash, zip } = zipOf({ "index.mjs": "1" });
    await Promise.all(Array.from({ length: 5 }, () => store.put(hash, zip)));
    expect(readdirSync(join(folder, "code"))).toEqual([hash]);
  });

  it("is refused when its hash is another", async () => {
    const { zip } = zipOf({ "index.mjs": "1" });
    await expect(store.put("0".repeat(64), zip)).rejects.toThrow("SHA-256");
  });

  it.each(["../evil", "a/../../evil", "/etc/evil", "..\\evil", "C:\\evil"])(
    "is refused when it holds %s, and nothing is left",
    async (name) => {
      const { hash, zip } = zipOf({ "index.mjs": "1", [name]: "x" });
      await expect(store.put(hash, zip)).rejects.toThrow("outside");
      expect(existsSync(join(folder, "evil"))).toBe(false);
      expect(readdirSync(join(folder, "code"))).toEqual([]);
    },
  );

  it("that is no zip is refused", async () => {
    const zip = Buffer.from("not a zip");
    const hash = createHash("sha256").update(zip).digest("hex");
    await expect(store.put(hash, zip)).rejects.toThrow("cannot be unpacked");
  });

  it("is swept once nothing has used it for a while, and not before", async () => {
    const used = zipOf({ "index.mjs": "1" });
    const unused = zipOf({ "index.mjs": "2" });
    await store.put(used.hash, used.zip);
    await store.put(unused.hash, unused.zip);
    await store.sweep(new Set([used.hash]), 0);
    await store.sweep(new Set([used.hash]), 10 * 60_000);
    expect(await store.has(unused.hash)).toBe(true);
    await store.sweep(new Set([used.hash]), 20 * 60_000);
    await store.sweep(new Set([used.hash]), 40 * 60_000);
    expect(await store.has(unused.hash)).toBe(false);
    expect(await store.has(used.hash)).toBe(true);
  });
});
