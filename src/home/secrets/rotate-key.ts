import { decodeName } from "../../model/stage-key.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { SecretsLog } from "../secrets.ts";
import type { Store } from "../store.ts";
import { ensureKey, secretsFolders } from "./ensure-key.ts";

export interface RotateKeyOptions {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly app: string;
  readonly secrets: (app: string, stage: string | null) => SecretsLog;
}

/**
 * Makes a new key for an app and encrypts every secret with it, one commit a log. The old key stays, so that an
 * interruption at any point leaves every secret readable; a repeat finishes the work under one more key.
 *
 * @returns the id of the new key
 * @throws DiagnosticError `KEY_MISSING`, `KEY_WRONG` (exit 6) when the present secrets cannot be read
 */
export async function rotateKey(options: RotateKeyOptions): Promise<string> {
  const { store, keys, app, secrets } = options;
  await ensureKey(store, keys, app);
  const logs = (await secretsFolders(store, app)).map((folder) => secrets(app, stageOf(folder)));
  // Nobody is helped by a new key while some values need one that is not here.
  for (const log of logs) await log.read();
  const { id } = await keys.add(app);
  for (const log of logs) await log.reencrypt(id);
  return id;
}

/** `state/<app>/<stage>/secrets/` or `state/<app>/fallback/`. */
function stageOf(folder: string): string | null {
  return decodeName("s", folder.split("/")[2] ?? "");
}
