import { createHash, randomBytes } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { unzipSync } from "fflate";
import { hasCode, makeFolder, syncFolder, TEMPORARY_ENDING } from "../../durable-file.ts";
import { listFolder } from "../../list-folder.ts";
import { Refusal } from "../control/refusal.ts";

/**
 * What AWS allows of an unpacked function: 250 MiB
 * (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
const UNPACKED_BYTES_MAX = 250 * 1024 * 1024;

/**
 * How long unpacked code that no function names stays, so that instances that run it can finish (15
 * minutes is Lambda's limit).
 */
const UNUSED_KEPT_MS = 16 * 60_000;

/** Unpacked bundles of one stage, each in a folder named by the SHA-256 of its zip. */
export interface CodeStore {
  folderOf(hash: string): string;
  has(hash: string): Promise<boolean>;
  /** Unpacks a zip, whole or not at all. @throws Refusal when it is not the zip of that hash */
  put(hash: string, zip: Uint8Array): Promise<void>;
  /** Deletes what has not been in `used` for a while. To be called now and then. */
  sweep(used: ReadonlySet<string>, nowMs: number): Promise<void>;
}

export function createCodeStore(folder: string): CodeStore {
  const unusedSince = new Map<string, number>();
  const has = async (hash: string) => exists(join(folder, hash));
  return {
    folderOf: (hash) => join(folder, hash),
    has: async (hash) => {
      unusedSince.delete(hash);
      return has(hash);
    },
    put: async (hash, zip) => {
      checkHash(hash, zip);
      unusedSince.delete(hash);
      if (!(await has(hash))) await unpack(folder, hash, zip);
    },
    sweep: async (used, nowMs) => {
      for (const name of await listFolder(folder)) {
        if (used.has(name)) {
          unusedSince.delete(name);
          continue;
        }
        const since = unusedSince.get(name) ?? nowMs;
        unusedSince.set(name, since);
        if (nowMs - since < UNUSED_KEPT_MS) continue;
        unusedSince.delete(name);
        await rm(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

async function unpack(folder: string, hash: string, zip: Uint8Array): Promise<void> {
  const unfinished = join(folder, `${hash}.${randomBytes(6).toString("hex")}${TEMPORARY_ENDING}`);
  await makeFolder(unfinished);
  try {
    for (const [name, content] of Object.entries(readZip(zip))) {
      if (name.endsWith("/")) continue;
      await writeEntry(join(unfinished, checkEntry(name)), content);
    }
    await syncTree(unfinished);
    await rename(unfinished, join(folder, hash));
    await syncFolder(folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another upload of the same bytes was faster; its folder holds the same.
    const lost = hasCode(error, "EEXIST") || hasCode(error, "ENOTEMPTY");
    if (!lost) throw error;
  }
}

function readZip(zip: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let total = 0;
  try {
    return unzipSync(zip, {
      filter: (entry) => {
        total += entry.originalSize;
        if (total > UNPACKED_BYTES_MAX) throw invalidZip("it is larger than 250 MiB unpacked");
        return true;
      },
    });
  } catch (error) {
    throw error instanceof Refusal ? error : invalidZip("it cannot be unpacked");
  }
}

function checkHash(hash: string, zip: Uint8Array): void {
  const found = createHash("sha256").update(zip).digest("hex");
  if (found !== hash) throw invalidZip(`its SHA-256 is ${found}, not ${hash}`);
}

/** An entry may only lie below the folder it is unpacked in. */
function checkEntry(name: string): string {
  const path = normalize(name);
  const parts = path.split(/[\\/]/);
  if (isAbsolute(name) || /^[A-Za-z]:/.test(name) || parts.includes("..") || name.includes("\0")) {
    throw invalidZip(`it holds ${JSON.stringify(name)}, which lies outside of it`);
  }
  return path;
}

async function writeEntry(file: string, content: Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncTree(join(folder, entry.name));
  }
  await syncFolder(folder);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

function invalidZip(why: string): Refusal {
  return new Refusal(400, "LOCAL_CODE_INVALID", `The uploaded code is refused: ${why}`);
}
