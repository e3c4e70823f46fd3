import { readdir } from "node:fs/promises";
import { hasCode } from "./durable-file.ts";

/** Names in a folder; none when it is not there. */
export async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
