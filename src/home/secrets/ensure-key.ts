import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { AppKey, KeyRing } from "../keys/key-ring.ts";
import { appFolder } from "../log/stage-place.ts";
import { newestKeys } from "../newest-keys.ts";
import type { Store } from "../store.ts";
import { readSecretsHead } from "./secrets-head.ts";

/**
 * The key that encrypts what is written for an app. The first is made here, but never while something is encrypted
 * with a key that is not here: a new one would hide that the old one has to be found.
 *
 * @throws DiagnosticError `KEY_MISSING` (exit 6) naming the key that is needed
 */
export async function ensureKey(store: Store, keys: KeyRing, app: string): Promise<AppKey> {
  const current = await keys.current(app);
  if (current !== null) return current;
  for (const folder of await secretsFolders(store, app)) {
    const [entry] = (await readSecretsHead(store, folder)).entries;
    if (entry !== undefined) throw keyMissing(keys, app, entry.keyId);
  }
  return keys.create(app);
}

/** The folders of all secrets logs of an app, ending in `/`. */
export async function secretsFolders(store: Store, app: string): Promise<readonly string[]> {
  const folders = [...(await newestKeys(store, appFolder(app))).keys()];
  return folders.filter((folder) => /\/(secrets|fallback)\/$/.test(folder));
}

/** No key of the app is here. */
export function keyMissing(keys: KeyRing, app: string, keyId: string): DiagnosticError {
  return fail("KEY_MISSING", `The secrets of ${app} need key ${keyId}, which is not here`, {
    why: `They were encrypted with it, and ${keys.location} holds no key of this app.`,
    hint: "Export the key on a machine that has it and import it here, or restore the folder of keys.",
    exit: EXIT.home,
  });
}

/** Keys of the app are here, but not the one that is needed. */
export function keyWrong(
  keys: KeyRing,
  app: string,
  needed: string,
  present: readonly string[],
): DiagnosticError {
  return fail("KEY_WRONG", `The secrets of ${app} need key ${needed}`, {
    why: `${keys.location} holds ${present.join(", ")} for this app, and none of them reads what ${needed} encrypted.`,
    hint: "Export the key on a machine that has it and import it here, or restore the folder of keys.",
    exit: EXIT.home,
  });
}
