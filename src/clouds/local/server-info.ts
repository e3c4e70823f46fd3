import { readFile } from "node:fs/promises";
import type { ServerInfo } from "./control-api.ts";
import { hasCode, removeDurably, writeDurably } from "./durable-file.ts";
import { parseHomePlace } from "./home-place.ts";

/**
 * Reads `server.json`; null when there is none or it is not one, which are the same to whoever
 * looks for a server.
 */
export async function readServerInfo(file: string): Promise<ServerInfo | null> {
  try {
    return parseServerInfo(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (hasCode(error, "ENOENT") || error instanceof SyntaxError) return null;
    throw error;
  }
}

export async function writeServerInfo(file: string, info: ServerInfo): Promise<void> {
  await writeDurably(file, `${JSON.stringify(info, null, 2)}\n`);
}

/** Removes `server.json` unless it has become another server's. */
export async function removeServerInfo(file: string, mine: ServerInfo): Promise<void> {
  const found = await readServerInfo(file);
  if (found?.token === mine.token) await removeDurably(file);
}

function parseServerInfo(value: unknown): ServerInfo | null {
  if (typeof value !== "object" || value === null) return null;
  const info = value as Partial<Record<keyof ServerInfo, unknown>>;
  const { pid, pidStart, startedAt, homeId, socket, token, version, protocol } = info;
  const home = parseHomePlace(info.home);
  if (typeof pid !== "number" || typeof protocol !== "number") return null;
  if (typeof pidStart !== "string" || typeof startedAt !== "string") return null;
  if (typeof homeId !== "string" || typeof socket !== "string") return null;
  if (typeof token !== "string" || typeof version !== "string") return null;
  const parsed = { pid, pidStart, startedAt, homeId, socket, token, version, protocol };
  return home === undefined ? parsed : { ...parsed, home };
}
