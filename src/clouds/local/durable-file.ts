import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Ending of files that are being written; one left behind by a crash is swept by whoever owns the
 * folder.
 */
export const TEMPORARY_ENDING = ".tmp";

/**
 * Replaces a file so that after any crash it is the old or the new one, whole. When this resolves,
 * the new one survives a power cut. Mode 0600.
 */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = await writeTemporary(file, content);
  try {
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Creates a file, whole or not at all. False when another was there first. */
export async function createDurably(file: string, content: string): Promise<boolean> {
  const temporary = await writeTemporary(file, content);
  try {
    await link(temporary, file);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(file));
  return true;
}

/** Deletes a file for good; no error when there is none. */
export async function removeDurably(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Makes a folder, mode 0700, and every missing one above it. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Makes the names in a folder survive a power cut. Windows does so by itself and refuses the call.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether an error of the operating system has this code, for example `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

async function writeTemporary(file: string, content: string | Uint8Array): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}${TEMPORARY_ENDING}`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}
