import { createHash } from "node:crypto";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { EXIT, fail } from "../../../../model/diagnostic.ts";

/**
 * Longest path of a unix socket, in bytes, that every system takes: macOS allows 104 with the
 * closing zero.
 */
const SOCKET_PATH_MAX = 103;

/**
 * Where the server of a home listens: a private folder that is short enough, `<runtime or
 * temp>/scrim-<uid>/<id>.sock`. The id also covers where the home lies, because a copied home keeps
 * its home id. On Windows a named pipe.
 *
 * @throws DiagnosticError `LOCAL_SOCKET_FOLDER_UNSAFE` (exit 6) when the folder belongs to someone
 * else or is open to others
 */
export async function privateSocketPath(
  homeId: string,
  homeFolder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const place = await realpath(homeFolder);
  const id = createHash("sha256").update(`${homeId}\0${place}`).digest("hex").slice(0, 12);
  if (process.platform === "win32") return `\\\\.\\pipe\\scrim-${userInfo().username}-${id}`;
  const uid = process.getuid?.() ?? 0;
  const runtime = env["XDG_RUNTIME_DIR"];
  const bases = [...(runtime === undefined || runtime === "" ? [] : [runtime]), tmpdir(), "/tmp"];
  for (const base of bases) {
    const folder = join(base, `scrim-${uid}`);
    const path = join(folder, `${id}.sock`);
    if (Buffer.byteLength(path) > SOCKET_PATH_MAX) continue;
    if (await makePrivate(folder, uid)) return path;
  }
  throw new Error("no folder for a socket: /tmp is missing");
}

/** False when the base is not there or not ours to write in. */
async function makePrivate(folder: string, uid: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "EEXIST") return false;
  }
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return true;
  throw fail("LOCAL_SOCKET_FOLDER_UNSAFE", `${folder} is not a private folder of this user`, {
    why: "Whoever can write there could answer in place of the local cloud.",
    hint: `Remove ${folder}, or make it yours alone (mode 0700).`,
    exit: EXIT.home,
  });
}
