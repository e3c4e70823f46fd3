import { describe, expect, it } from "vitest";
import { seededNumbers } from "../../testing/disk-seed.ts";
import {
  type DiskFault,
  ProcessEnded,
  SimulatedDisk,
  type SimulatedProcess,
} from "../../testing/disk-simulated.ts";
import type { Store } from "../store.ts";
import { DirectoryStore } from "./directory.ts";
import type { Disk } from "./disk.ts";

const SEEDS = 3_000;
const HOME = "/users/ada/home";
const FAULTS: readonly DiskFault[] = ["crash-before", "crash-after", "torn", "ENOSPC", "EIO"];

interface Attempt {
  readonly key: string;
  readonly value: string;
  readonly isAcknowledged: boolean;
}

/** Puts values until the process ends, then lets the power go; tells what does not hold afterwards. */
async function violationsAfterCrash(
  seed: number,
  breakDisk: (disk: SimulatedProcess) => Disk,
): Promise<string[]> {
  const next = seededNumbers(seed);
  const disk = new SimulatedDisk(next);
  const attempts: Attempt[] = [];
  for (let life = 0; life < 3; life += 1) {
    const faultAt = Math.floor(next() * 60);
    const fault = FAULTS[Math.floor(next() * FAULTS.length)] ?? "torn";
    const process = disk.process((effect) => (effect === faultAt ? fault : null));
    const store = new DirectoryStore(HOME, breakDisk(process));
    for (let put = 0; put < 6 && !process.hasEnded; put += 1) {
      const key = `state/${put % 2}/${Math.floor(next() * 8)}`;
      attempts.push(await attempt(store, process, key, `life ${life} put ${put} `.repeat(5)));
    }
    if (next() < 0.7) disk.cutPower();
  }
  disk.cutPower();
  return violations(new DirectoryStore(HOME, disk.process()), attempts);
}

async function attempt(
  store: Store,
  process: SimulatedProcess,
  key: string,
  value: string,
): Promise<Attempt> {
  try {
    const answer = await store.putIfAbsent(key, Buffer.from(value));
    return { key, value, isAcknowledged: answer === "created" };
  } catch (error) {
    if (!process.hasEnded && error instanceof ProcessEnded) throw error;
    return { key, value, isAcknowledged: false };
  }
}

async function violations(store: Store, attempts: readonly Attempt[]): Promise<string[]> {
  const found: string[] = [];
  const acknowledged = attempts.filter(({ isAcknowledged }) => isAcknowledged);
  for (const { key, value } of acknowledged)
    if ((await textOf(store, key)) !== value) found.push(`${key} lost ${value}`);
  const keys = await store.list("", 1_000);
  if (keys.length < new Set(acknowledged.map(({ key }) => key)).size)
    found.push("the listing lost a key");
  for (const key of keys) {
    const text = await textOf(store, key);
    const wasPut = attempts.some((attempt) => attempt.key === key && attempt.value === text);
    if (!wasPut) found.push(`${key} holds ${text}`);
  }
  return found;
}

async function textOf(store: Store, key: string): Promise<string | null> {
  const bytes = await store.get(key);
  return bytes === null ? null : Buffer.from(bytes).toString();
}

/** The first seed that shows a violation; null when none of them does. */
async function firstViolation(
  seeds: number,
  breakDisk: (disk: SimulatedProcess) => Disk = (disk) => disk,
): Promise<string | null> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const [violation] = await violationsAfterCrash(seed, breakDisk);
    if (violation !== undefined) return `seed ${seed}: ${violation}`;
  }
  return null;
}

/** The disk of a process, of which one call is replaced. */
function broken(disk: SimulatedProcess, replacement: Partial<Disk>): Disk {
  return {
    read: (path) => disk.read(path),
    list: (folder) => disk.list(folder),
    status: (path) => disk.status(path),
    makeFolder: (folder) => disk.makeFolder(folder),
    writeNew: (path, bytes) => disk.writeNew(path, bytes),
    link: (path, newPath) => disk.link(path, newPath),
    syncFolder: (folder) => disk.syncFolder(folder),
    remove: (path) => disk.remove(path),
    ...replacement,
  };
}

describe("a store in a folder, when processes end and the power goes", () => {
  it(`keeps what was acknowledged and shows nothing by halves, in ${SEEDS} histories`, async () => {
    expect(await firstViolation(SEEDS)).toBeNull();
  });

  it("would be caught if it did not wait for names", async () => {
    const caught = await firstViolation(300, (disk) => broken(disk, { syncFolder: () => {} }));
    expect(caught).toMatch(/lost/);
  });

  it("would be caught if it wrote to the name itself", async () => {
    const caught = await firstViolation(300, (disk) =>
      broken(disk, { link: (path, newPath) => disk.writeNew(newPath, disk.read(path)) }),
    );
    expect(caught).toMatch(/holds|lost/);
  });

  it("would be caught if it synced only the names of the folder that it writes to", async () => {
    const caught = await firstViolation(600, (disk) =>
      broken(disk, {
        syncFolder: (folder) => {
          if (/state\/\d$/.test(folder)) disk.syncFolder(folder);
        },
      }),
    );
    expect(caught).toMatch(/lost/);
  });
});
