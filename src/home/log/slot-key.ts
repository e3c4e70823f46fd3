/** Room for 10^12 frames; at a frame a millisecond that is thirty years. */
const LAST_SLOT = 999_999_999_999;

/**
 * The last part of a frame's key. It counts down, so that the newest frame is the first of a listing, and ends with
 * the slot as people read it.
 *
 * @example
 * slotKey(7); // "999999999992-7"
 */
export function slotKey(slot: number): string {
  return `${String(LAST_SLOT - slot).padStart(12, "0")}-${slot}`;
}

/** The slot that a key's last part names, or null when {@link slotKey} did not write it. */
export function slotOf(key: string): number | null {
  const last = key.slice(key.lastIndexOf("/") + 1);
  const slot = Number(last.slice(last.indexOf("-") + 1));
  if (!Number.isSafeInteger(slot) || slot < 1) return null;
  return slotKey(slot) === last ? slot : null;
}
