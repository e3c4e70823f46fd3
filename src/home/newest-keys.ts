import type { Store } from "./store.ts";

const KEYS_A_PAGE = 1_000;
/** Sorts behind every character that a key may hold. */
const BEHIND_ALL = "~";

/**
 * The newest key of every log and snapshot folder under a prefix, by folder (ending in `/`), from one paged listing.
 * Where a page ends inside a folder, the rest of that folder is skipped: it is older.
 */
export async function newestKeys(
  store: Store,
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const newest = new Map<string, string>();
  let after = "";
  for (;;) {
    const keys = await store.list(prefix, KEYS_A_PAGE, after);
    for (const key of keys) {
      const folder = folderOf(key);
      if (!newest.has(folder)) newest.set(folder, key);
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < KEYS_A_PAGE) return newest;
    after = folderOf(last) + BEHIND_ALL;
  }
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}
