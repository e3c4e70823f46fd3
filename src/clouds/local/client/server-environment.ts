/**
 * Variables that the server and its runners may see; everything else, credentials above all, stays
 * outside.
 */
const ALLOWED = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "SCRIM_HOME",
  "SCRIM_KEY_DIR",
  // Without these Windows starts no program and finds no folder of the user's.
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
]);

const ALLOWED_PREFIXES = ["XDG_", "LC_"];

/** The environment that a server starts with: no `AWS_*`, no `NODE_OPTIONS`. */
export function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isAllowed(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(kept);
}

function isAllowed(name: string): boolean {
  // Windows does not tell upper from lower case in names of variables.
  const known = process.platform === "win32" ? name.toUpperCase() : name;
  return ALLOWED.has(known) || ALLOWED_PREFIXES.some((prefix) => known.startsWith(prefix));
}
