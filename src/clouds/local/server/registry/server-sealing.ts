import { randomBytes } from "node:crypto";
import { EXIT, fail } from "../../../../model/diagnostic.ts";
import type { LocalFolders } from "../../folders.ts";
import { createServerKey, readServerKey, type ServerKey } from "./key-file.ts";
import { stageKeys } from "./migrations.ts";
import { readRecords } from "./record-files.ts";
import { createSealing, type Sealing } from "./sealing.ts";

/** What the server's key is used for. A server without its key still lists and removes. */
export interface ServerSealing {
  /** @throws DiagnosticError `LOCAL_KEY_MISSING`, `LOCAL_KEY_UNREADABLE` (exit 6) */
  sealing(): Promise<Sealing>;
  /** What the stages' data credentials are derived from. */
  readonly accessKey: Buffer;
}

/**
 * Reads the key, or makes it when nothing was ever sealed: a new key would make what is sealed
 * unreadable for ever.
 */
export async function openServerSealing(
  keyFile: string,
  folders: LocalFolders,
): Promise<ServerSealing> {
  try {
    const found = (await readServerKey(keyFile)) ?? (await createFirstKey(keyFile, folders));
    const sealing = createSealing(found);
    return { sealing: async () => sealing, accessKey: found.derive("access") };
  } catch (error) {
    return { sealing: () => Promise.reject(error), accessKey: randomBytes(32) };
  }
}

async function createFirstKey(keyFile: string, folders: LocalFolders): Promise<ServerKey> {
  for (const stageKey of await stageKeys(folders)) {
    const { records } = await readRecords(folders.stage(stageKey).registry);
    if (records.some(({ sealed }) => sealed !== null)) throw keyMissing(keyFile);
  }
  return createServerKey(keyFile);
}

function keyMissing(keyFile: string): Error {
  return fail("LOCAL_KEY_MISSING", `The local cloud's key ${keyFile} is missing`, {
    why: "The environments of deployed functions are sealed with it and cannot be read without it.",
    hint: "Restore the file, or remove the deployed stages and deploy them again.",
    exit: EXIT.home,
  });
}
