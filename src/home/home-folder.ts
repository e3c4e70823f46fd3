import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** What decides where folders of the user are. */
export interface UserFolders {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home directory. */
  readonly userHome: string;
}

/** The user folders of this process under the given environment. */
export function userFolders(env: UserFolders["env"]): UserFolders {
  return { env, platform: process.platform, userHome: homedir() };
}

/**
 * Where state is kept on this machine: `SCRIM_HOME`, else `scrim` in the user's data folder, which the XDG base
 * directory specification or the system's own convention names.
 */
export function homeFolder(folders: UserFolders): string {
  const { env, platform, userHome } = folders;
  if (isSet(env["SCRIM_HOME"])) return resolve(env["SCRIM_HOME"]);
  if (isXdgFolder(env["XDG_DATA_HOME"])) return join(env["XDG_DATA_HOME"], "scrim");
  if (platform === "darwin") return join(userHome, "Library", "Application Support", "scrim");
  if (platform === "win32")
    return join(env["LOCALAPPDATA"] ?? join(userHome, "AppData", "Local"), "scrim");
  return join(userHome, ".local", "share", "scrim");
}

/** Where keys are kept, never inside the home: `SCRIM_KEY_DIR`, else in the user's folder of settings. */
export function keyFolder(folders: UserFolders): string {
  const { env, platform, userHome } = folders;
  if (isSet(env["SCRIM_KEY_DIR"])) return resolve(env["SCRIM_KEY_DIR"]);
  if (isXdgFolder(env["XDG_CONFIG_HOME"])) return join(env["XDG_CONFIG_HOME"], "scrim", "keys");
  if (platform === "win32")
    return join(env["APPDATA"] ?? join(userHome, "AppData", "Roaming"), "scrim", "keys");
  return join(userHome, ".config", "scrim", "keys");
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

/** The specification says that a relative path is to be ignored. */
function isXdgFolder(value: string | undefined): value is string {
  return isSet(value) && isAbsolute(value);
}
