const SEGMENT = /^[A-Za-z0-9_=-][A-Za-z0-9._=-]*$/;
const KEY_BYTES_MAX = 900;

/** Whether a name can be one part of a key. Names that begin with a dot are the store's own. */
export function isKeySegment(name: string): boolean {
  return SEGMENT.test(name);
}

/** Keys are made by this tool, never typed, so a wrong one is a mistake in it. @throws Error */
export function checkKey(key: string): void {
  if (key.length > KEY_BYTES_MAX || !key.split("/").every(isKeySegment))
    throw new Error(`not a key of a store: ${JSON.stringify(key)}`);
}
