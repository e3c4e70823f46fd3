import type { Json, JsonObject } from "../../model/json.ts";
import type { Random } from "../../model/world.ts";
import type { AppKey, KeyRing } from "../keys/key-ring.ts";
import type { Store } from "../store.ts";
import { ensureKey, keyMissing, keyWrong } from "./ensure-key.ts";
import { decryptSecret, encryptSecret, keyIdOf } from "./secret-cipher.ts";

/** Encrypts the outputs of resources that nobody may read in state, such as the secret of a client. */
export interface OutputVault {
  /** `{"$encrypted": "v1..."}`; another text each time. */
  encrypt(value: Json): JsonObject;
  /**
   * The value that was encrypted; any other value as it is.
   *
   * @throws DiagnosticError `KEY_MISSING`, `KEY_WRONG` (exit 6)
   */
  decrypt(value: Json): Json;
}

export interface OutputVaultOptions {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly random: Random;
  readonly app: string;
  readonly stage: string;
}

/** See {@link OpenHome.outputVault}. */
export async function openOutputVault(options: OutputVaultOptions): Promise<OutputVault> {
  const { store, keys, random, app, stage } = options;
  const current = await ensureKey(store, keys, app);
  const known = await keysById(keys, app);
  const place = { app, stage, name: "output of a resource" };
  return {
    encrypt: (value) => ({
      $encrypted: encryptSecret(current, place, JSON.stringify(value), random),
    }),
    decrypt: (value) => {
      const text = encryptedText(value);
      if (text === null) return value;
      const id = keyIdOf(text) ?? "";
      const key = known.get(id);
      if (key === undefined) throw keyMissing(keys, app, id);
      const clear = decryptSecret(key, place, text);
      if (clear === null) throw keyWrong(keys, app, id, [...known.keys()]);
      return JSON.parse(clear) as Json;
    },
  };
}

async function keysById(keys: KeyRing, app: string): Promise<ReadonlyMap<string, AppKey>> {
  const found = new Map<string, AppKey>();
  for (const id of await keys.ids(app)) {
    const key = await keys.get(app, id);
    if (key !== null) found.set(id, key);
  }
  return found;
}

function encryptedText(value: Json): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { $encrypted, ...rest } = value as JsonObject;
  return typeof $encrypted === "string" && Object.keys(rest).length === 0 ? $encrypted : null;
}
