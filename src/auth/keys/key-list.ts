import { InvalidToken, JwksUnavailable } from "../auth-error.ts";
import { type UsableKey, usableKey } from "./usable-key.ts";

/** The usable keys of one key set document. */
export interface KeyList {
  readonly all: readonly UsableKey[];
  /** Null where a key id stands twice: neither key can be told to be meant. */
  readonly byId: ReadonlyMap<string, UsableKey | null>;
  /** The key for tokens that name none, which is allowed where there is only one. */
  readonly only: UsableKey | null;
}

/** Issuers publish a few keys; the largest known sets have some dozens. */
const KEYS_MAX = 256;

/**
 * Reads a key set (RFC 7517, section 5). An empty one is right: its issuer accepts nothing anymore.
 *
 * @throws JwksUnavailable when it is no key set, or has more than 256 keys
 */
export function readKeyList(text: string): KeyList {
  const entries = keysOf(text);
  if (entries.length > KEYS_MAX) throw new JwksUnavailable("The key set has too many keys");
  const usable = entries.map(usableKey).filter((key) => key !== null);
  const byId = new Map<string, UsableKey | null>();
  for (const key of usable) {
    if (key.keyId !== undefined) byId.set(key.keyId, byId.has(key.keyId) ? null : key);
  }
  return { all: usable, byId, only: usable.length === 1 ? (usable[0] ?? null) : null };
}

function keysOf(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JwksUnavailable("The key set is not JSON");
  }
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : null;
  if (!Array.isArray(keys)) throw new JwksUnavailable("The key set has no list of keys");
  return keys;
}

/**
 * The key that a token means; undefined when the list has none such.
 *
 * @throws InvalidToken KEY_UNKNOWN when it means one of several
 */
export function keyIn(list: KeyList, keyId: string | undefined): UsableKey | undefined {
  if (keyId === undefined) {
    if (list.only === null) throw keyUnknown("The token names none of the keys");
    return list.only;
  }
  const key = list.byId.get(keyId);
  if (key === null) throw keyUnknown("The key set has the token's key id twice");
  return key;
}

/** The refusal of a token for its key id. */
export function keyUnknown(message: string): InvalidToken {
  return new InvalidToken("KEY_UNKNOWN", message);
}
