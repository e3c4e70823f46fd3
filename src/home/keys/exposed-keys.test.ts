import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeDisk } from "../stores/node-disk.ts";
import { exposedKeys } from "./exposed-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "scrim-keys-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("tells the files of one app's keys that others may read", () => {
  expect(exposedKeys(folder, "shop", nodeDisk)).toEqual([]);
  for (const app of ["a-shop", "a-other"]) mkdirSync(join(folder, app), { recursive: true });
  const files = ["a-shop/1", "a-shop/2", "a-shop/3", "a-other/1"].map((file) => join(folder, file));
  for (const file of files) writeFileSync(file, "key", { mode: 0o600 });
  const [first = "", second = "", , other = ""] = files;
  chmodSync(first, 0o644);
  chmodSync(second, 0o640);
  chmodSync(other, 0o644);
  expect(exposedKeys(folder, "shop", nodeDisk)).toEqual([first, second]);
});
