import { dirname } from "node:path";
import { makeFolder, syncFolder } from "../durable-file.ts";

/**
 * Makes a service's folder and makes its name durable: what is acknowledged in it must not vanish
 * with it.
 */
export async function makeServiceFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await syncFolder(dirname(folder));
}
