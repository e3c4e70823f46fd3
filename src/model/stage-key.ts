/**
 * Writes a name so that two names differ on any disk exactly when they differ as text: an upper-case letter becomes
 * `=` and its lower-case form. The prefix keeps names that some systems reserve (`con`, `nul`) ordinary.
 *
 * @example
 * encodeName("s", "Dev"); // "s-=dev"
 */
export function encodeName(prefix: "a" | "s", name: string): string {
  return `${prefix}-${name.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}`;
}

/** The name that {@link encodeName} wrote, or null when `key` is not of that form. */
export function decodeName(prefix: "a" | "s", key: string): string | null {
  if (!key.startsWith(`${prefix}-`)) return null;
  const name = key
    .slice(prefix.length + 1)
    .replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return encodeName(prefix, name) === key ? name : null;
}

/** One stage of one app as a single name of a folder: `a-shop.s-=dev`. */
export function stageKey(app: string, stage: string): string {
  return `${encodeName("a", app)}.${encodeName("s", stage)}`;
}
