import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Clock, Random } from "../../model/world.ts";
import type { AppKey, KeyRing } from "../keys/key-ring.ts";
import { commitSlot } from "../log/commit-slot.ts";
import { slotKey } from "../log/slot-key.ts";
import { secretsPrefix, stateCorrupt } from "../log/stage-place.ts";
import type { SecretsListing, SecretsLog } from "../secrets.ts";
import type { Store } from "../store.ts";
import { ensureKey, keyMissing, keyWrong } from "./ensure-key.ts";
import { decryptSecret, encryptSecret } from "./secret-cipher.ts";
import { encodeSecretsFrame, type SecretEntry } from "./secrets-frame.ts";
import { readSecretsHead, type SecretsHead } from "./secrets-head.ts";

export interface SecretsLogOptions {
  readonly store: Store;
  readonly app: string;
  /** Null for the fallback. */
  readonly stage: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeyRing;
}

/** How often a commit that lost a race is tried anew; somebody's commit succeeded each time. */
const ATTEMPTS_MAX = 50;
const RETRY_DELAY_MAX_MS = 50;
const KEYS_A_PAGE = 1_000;

/** The secrets of one stage, or the fallback of an app, in a store. */
export class StoredSecretsLog implements SecretsLog {
  readonly #options: SecretsLogOptions;
  readonly #prefix: string;

  constructor(options: SecretsLogOptions) {
    this.#options = options;
    this.#prefix = secretsPrefix(options.app, options.stage);
  }

  async list(): Promise<SecretsListing> {
    const { slot, entries } = await this.#head();
    return {
      serial: slot,
      entries: entries.map(({ name, updatedAt, keyId }) => ({ name, updatedAt, keyId })),
    };
  }

  async read(): Promise<{ readonly serial: number; readonly values: ReadonlyMap<string, string> }> {
    const { slot, entries } = await this.#head();
    return { serial: slot, values: await this.#decryptAll(entries) };
  }

  async commit(changes: ReadonlyMap<string, string | null>): Promise<number> {
    const { store, keys, app } = this.#options;
    const key = await ensureKey(store, keys, app);
    return this.#rewrite(async (entries) => {
      const changed = entries.filter((entry) => !changes.has(entry.name));
      const removesNothing = changed.length === entries.length;
      const set = [...changes].filter((change): change is [string, string] => change[1] !== null);
      if (set.length === 0 && removesNothing) return null;
      const updatedAt = new Date(this.#options.clock.now()).toISOString();
      return [...changed, ...set.map(([name, text]) => this.#encrypt(key, name, text, updatedAt))];
    });
  }

  async reencrypt(keyId: string): Promise<number> {
    const { keys, app } = this.#options;
    const key = await keys.get(app, keyId);
    if (key === null) throw keyMissing(keys, app, keyId);
    return this.#rewrite(async (entries) => {
      if (entries.every((entry) => entry.keyId === keyId)) return null;
      const updatedAt = new Map(entries.map((entry) => [entry.name, entry.updatedAt]));
      const values = await this.#decryptAll(entries);
      return [...values].map(([name, text]) =>
        this.#encrypt(key, name, text, updatedAt.get(name) ?? ""),
      );
    });
  }

  /** The newest frame goes last, so that an interrupted purge never brings older values back. */
  async purge(): Promise<void> {
    const { store } = this.#options;
    const keys: string[] = [];
    for (;;) {
      const page = await store.list(this.#prefix, KEYS_A_PAGE, keys.at(-1) ?? "");
      keys.push(...page);
      if (page.length < KEYS_A_PAGE) break;
    }
    for (const key of keys.reverse()) await store.delete(key);
  }

  #head(): Promise<SecretsHead> {
    return readSecretsHead(this.#options.store, this.#prefix);
  }

  /** Commits what `change` makes of the newest entries; null means that there is nothing to do. */
  async #rewrite(
    change: (entries: readonly SecretEntry[]) => Promise<readonly SecretEntry[] | null>,
  ): Promise<number> {
    const { store, clock, random } = this.#options;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const head = await this.#head();
      const changed = await change(head.entries);
      if (changed === null) return head.slot;
      const slot = head.slot + 1;
      const writer = Buffer.from(random.bytes(16)).toString("hex");
      const entries = [...changed].sort((a, b) => (a.name < b.name ? -1 : 1));
      const { bytes } = encodeSecretsFrame({ slot, writer, previous: head.hash, entries });
      const answer = await commitSlot(store, this.#prefix + slotKey(slot), bytes, clock);
      if (answer === "ours") return slot;
      const [jitter = 0] = random.bytes(1);
      await clock.sleep((jitter / 255) * RETRY_DELAY_MAX_MS);
    }
    throw fail("SECRETS_BUSY", "Other processes are changing the same secrets", {
      why: `Each of ${ATTEMPTS_MAX} attempts found a newer commit than the one it had read.`,
      hint: "Run the command again.",
      exit: EXIT.locked,
    });
  }

  #encrypt(key: AppKey, name: string, text: string, updatedAt: string): SecretEntry {
    const { app, stage, random } = this.#options;
    const value = encryptSecret(key, { app, stage, name }, text, random);
    return { name, updatedAt, keyId: key.id, value };
  }

  async #decryptAll(entries: readonly SecretEntry[]): Promise<ReadonlyMap<string, string>> {
    const keys = new Map<string, AppKey>();
    for (const keyId of new Set(entries.map((entry) => entry.keyId)))
      keys.set(keyId, await this.#keyOf(keyId));
    return new Map(entries.map((entry) => [entry.name, this.#decrypt(entry, keys)]));
  }

  /** @throws DiagnosticError `KEY_MISSING`, `KEY_WRONG` */
  async #keyOf(keyId: string): Promise<AppKey> {
    const { keys, app } = this.#options;
    const key = await keys.get(app, keyId);
    if (key !== null) return key;
    const present = await keys.ids(app);
    throw present.length === 0 ? keyMissing(keys, app, keyId) : keyWrong(keys, app, keyId, present);
  }

  #decrypt(entry: SecretEntry, keys: ReadonlyMap<string, AppKey>): string {
    const { store, app, stage } = this.#options;
    const { name, keyId, value } = entry;
    const key = keys.get(keyId);
    const text = key === undefined ? null : decryptSecret(key, { app, stage, name }, value);
    if (text !== null) return text;
    throw stateCorrupt(store, this.#prefix, `${name} was encrypted for another place`, 0);
  }
}
