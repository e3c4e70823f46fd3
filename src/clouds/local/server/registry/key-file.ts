import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { EXIT, fail } from "../../../../model/diagnostic.ts";
import { createDurably, hasCode, makeFolder } from "../../durable-file.ts";

/**
 * The server's one secret. It lies outside the home, so that a copy of the home reveals nothing.
 */
export interface ServerKey {
  /** Tells keys apart; says nothing about them. */
  readonly id: string;
  /** 32 bytes for one purpose, derived (HKDF-SHA256). */
  derive(purpose: "seal" | "access"): Buffer;
}

/**
 * `$SCRIM_KEY_DIR/local/<home id>.key`, else below the user's configuration folder.
 *
 * @param env of the server process
 */
export function keyFileOf(
  homeId: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const given = env["SCRIM_KEY_DIR"];
  if (given !== undefined && given !== "") return join(given, "local", `${homeId}.key`);
  const config = env["XDG_CONFIG_HOME"];
  const base = config !== undefined && config !== "" ? config : join(homedir(), ".config");
  return join(base, "scrim", "local", `${homeId}.key`);
}

/**
 * Reads the key; null when there is none. @throws DiagnosticError `LOCAL_KEY_UNREADABLE` (exit 6)
 */
export async function readServerKey(file: string): Promise<ServerKey | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
  const key = /^scrim-local-key-1 ([0-9a-f]{64})\n$/.exec(text)?.[1];
  if (key === undefined) throw unreadable(file, "It does not have the form of a key file.");
  return serverKey(Buffer.from(key, "hex"));
}

/** Makes the key; when another process was there first, its key is the one. */
export async function createServerKey(file: string): Promise<ServerKey> {
  await makeFolder(dirname(file));
  await createDurably(file, `scrim-local-key-1 ${randomBytes(32).toString("hex")}\n`);
  const key = await readServerKey(file);
  if (key === null) throw unreadable(file, "It was removed while it was being made.");
  return key;
}

function serverKey(secret: Buffer): ServerKey {
  return {
    id: createHash("sha256").update("id\0").update(secret).digest("hex").slice(0, 12),
    derive: (purpose) =>
      Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), `scrim local ${purpose}`, 32)),
  };
}

function unreadable(file: string, why: string): Error {
  return fail("LOCAL_KEY_UNREADABLE", `The local cloud's key ${file} cannot be read`, {
    why,
    hint: "Restore the file from a backup, or give its folder with SCRIM_KEY_DIR.",
    exit: EXIT.home,
  });
}
