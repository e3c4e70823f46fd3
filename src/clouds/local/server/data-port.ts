import { readFile } from "node:fs/promises";
import { hasCode, writeDurably } from "../durable-file.ts";
import type { PortBook } from "./ports.ts";

/** The port that was recorded for the data services, else a new one, recorded before anything listens on it. */
export async function recordedDataPort(
  file: string,
  ports: PortBook,
  homeId: string,
): Promise<number> {
  const recorded = await readPort(file);
  if (recorded !== null) {
    ports.take(recorded);
    return recorded;
  }
  const port = await ports.pick([homeId, "data"]);
  await recordDataPort(file, port);
  return port;
}

export async function recordDataPort(file: string, port: number): Promise<void> {
  await writeDurably(file, `${JSON.stringify({ port })}\n`);
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
