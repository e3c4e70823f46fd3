import { readFile } from "node:fs/promises";
import { hasCode, writeDurably } from "../durable-file.ts";
import { canListen, type PortBook } from "./ports.ts";
import type { Log } from "./resources/stage-dependencies.ts";

/**
 * The port that was recorded for the data services. Where another program has taken it, and at the
 * first start, a new one, recorded before anything listens on it; functions get their endpoints
 * anew at each start.
 */
export async function recordedDataPort(
  file: string,
  ports: PortBook,
  homeId: string,
  log: Log,
): Promise<number> {
  const recorded = await readPort(file);
  if (recorded !== null) ports.take(recorded);
  if (recorded !== null && (await canListen(recorded))) return recorded;
  const port = await ports.pick([homeId, "data"]);
  await writeDurably(file, `${JSON.stringify({ port })}\n`);
  if (recorded !== null) log(`port ${recorded} is taken; the data services move to ${port}`);
  return port;
}

async function readPort(file: string): Promise<number | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null || !("port" in value)) return null;
    return Number.isInteger(value.port) ? Number(value.port) : null;
  } catch (error) {
    if (hasCode(error, "ENOENT") || error instanceof SyntaxError) return null;
    throw error;
  }
}
