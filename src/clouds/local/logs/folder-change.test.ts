import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../system/clock.ts";
import { expectChange } from "./folder-change.ts";

const LONG_MS = 20_000;
const { signal } = new AbortController();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scrim-change-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function waitedMs(change: ReturnType<typeof expectChange>, atMostMs: number) {
  const startMs = performance.now();
  await change.wait(atMostMs, systemClock, signal);
  change.close();
  return performance.now() - startMs;
}

describe("a change of a folder", () => {
  it("is not missed when it comes before anybody waits for it", async () => {
    const change = expectChange(folder);
    writeFileSync(join(folder, "file"), "text");
    expect(await waitedMs(change, LONG_MS)).toBeLessThan(LONG_MS / 2);
  });

  it("is waited for no longer than asked, also where there is no folder", async () => {
    await waitedMs(expectChange(folder), 20);
    await waitedMs(expectChange(join(folder, "missing")), 20);
  });
});
