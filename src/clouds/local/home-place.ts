import { realpath, stat } from "node:fs/promises";
import { hasCode } from "./durable-file.ts";

/**
 * Which folder a server serves. A home that is moved or copied takes `server.json` and the claim of
 * its server along, and that server is not the one of the folder in which they are found then.
 */
export interface HomePlace {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** `<device>:<inode>` of the folder; good until the machine is restarted. */
  readonly folder: string;
}

/** @throws Error of the file system when there is no such folder */
export async function placeOfHome(homeFolder: string): Promise<HomePlace> {
  const path = await realpath(homeFolder);
  return { path, folder: await folderAt(path) };
}

/** Whether what was recorded is a server of another folder, or of this one before it was moved. */
export async function isOfAnotherPlace(server: HomePlace, homeFolder: string): Promise<boolean> {
  return (await folderAt(server.path)) !== (await folderAt(homeFolder));
}

/**
 * Whether a server still has the folder that it began with, and this folder is another one: a copy.
 * Not so for a home that was moved, whose server has its files open until it notices.
 */
export async function isCopied(server: HomePlace, homeFolder: string): Promise<boolean> {
  const there = await folderAt(server.path);
  return there === server.folder && there !== (await folderAt(homeFolder));
}

/** Checks what was recorded; undefined for nothing, as earlier versions recorded. */
export function parseHomePlace(value: unknown): HomePlace | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { path, folder } = value as Partial<Record<keyof HomePlace, unknown>>;
  return typeof path === "string" && typeof folder === "string" ? { path, folder } : undefined;
}

/** "" where there is none. */
async function folderAt(path: string): Promise<string> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return "";
    throw error;
  }
}
