import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WatchedFiles } from "./watched-files.ts";

let folder: string;
let told = 0;
let files: WatchedFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scrim-watched-"));
  told = 0;
  files = new WatchedFiles(() => {
    told += 1;
  });
});
afterEach(() => {
  files.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);

async function untilTold(): Promise<void> {
  for (let left = 1000; left > 0 && told === 0; left -= 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(told).toBeGreaterThan(0);
}

test("a file that changes, comes or goes is told, and others are not", async () => {
  writeFileSync(at("a"), "1");
  writeFileSync(at("gone"), "1");
  files.set([at("a"), at("new"), at("gone")]);
  expect(files.take()).toEqual([]);
  writeFileSync(at("other"), "1");
  writeFileSync(at("a"), "2");
  await untilTold();
  expect(files.take()).toEqual([at("a")]);
  writeFileSync(at("new"), "1");
  rmSync(at("gone"));
  expect(files.take()).toEqual([at("new"), at("gone")]);
  expect(files.take()).toEqual([]);
});

test("a file that is written with what it holds already is not told", () => {
  writeFileSync(at("a"), "1");
  files.set([at("a")]);
  writeFileSync(at("a"), "1");
  files.look();
  expect([told, files.take()]).toEqual([0, []]);
});

test("a change before the files are set anew is still told", () => {
  writeFileSync(at("a"), "1");
  files.set([at("a")]);
  writeFileSync(at("a"), "2");
  files.set([at("a"), at("b")]);
  files.look();
  expect([told, files.take()]).toEqual([1, [at("a")]]);
});

test("nothing is told when watching is over", async () => {
  writeFileSync(at("a"), "1");
  files.set([at("a")]);
  writeFileSync(at("a"), "2");
  files.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(told).toBe(0);
});
