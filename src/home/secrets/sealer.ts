import { createHmac } from "node:crypto";
import { canonicalJson, type Json } from "../../model/json.ts";
import { deriveKey } from "../keys/app-key.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { Store } from "../store.ts";
import { ensureKey } from "./ensure-key.ts";

/** See {@link OpenHome.sealer}. */
export async function sealerOf(options: {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly app: string;
}): Promise<(value: Json) => string> {
  const { store, keys, app } = options;
  const key = deriveKey(await ensureKey(store, keys, app), "sealed values");
  return (value) => createHmac("sha256", key).update(canonicalJson(value)).digest("hex");
}
