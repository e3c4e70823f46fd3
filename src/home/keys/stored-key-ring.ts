import { EXIT, fail } from "../../model/diagnostic.ts";
import { encodeName } from "../../model/stage-key.ts";
import type { Clock, Random } from "../../model/world.ts";
import { commitSlot } from "../log/commit-slot.ts";
import { slotKey, slotOf } from "../log/slot-key.ts";
import type { Store } from "../store.ts";
import { DirectoryStore } from "../stores/directory.ts";
import { nodeDisk } from "../stores/node-disk.ts";
import { appKeyOf, keyText, parseKeyText } from "./app-key.ts";
import type { AppKey, KeyRing } from "./key-ring.ts";

/** More keys than anybody makes; a listing of an app's keys never goes on. */
const KEYS_MAX = 1_000;
const ATTEMPTS_MAX = 20;

/** Keys in a store of their own: one immutable value a key, numbered, so that the newest is the current one. */
export class StoredKeyRing implements KeyRing {
  readonly #store: Store;
  readonly #random: Random;
  readonly #clock: Clock;

  constructor(store: Store, random: Random, clock: Clock) {
    this.#store = store;
    this.#random = random;
    this.#clock = clock;
  }

  get location(): string {
    return this.#store.location;
  }

  async ids(app: string): Promise<readonly string[]> {
    return (await this.#keys(app)).map((key) => key.id);
  }

  async get(app: string, keyId: string): Promise<AppKey | null> {
    return (await this.#keys(app)).find((key) => key.id === keyId) ?? null;
  }

  async current(app: string): Promise<AppKey | null> {
    return (await this.#keys(app))[0] ?? null;
  }

  async create(app: string): Promise<AppKey> {
    const key = appKeyOf(this.#random.bytes(32));
    if (await this.#put(app, 1, key)) return key;
    return (await this.current(app)) ?? this.#append(app, key);
  }

  add(app: string): Promise<AppKey> {
    return this.#append(app, appKeyOf(this.#random.bytes(32)));
  }

  async export(app: string): Promise<string> {
    const keys = await this.#keys(app);
    return keys
      .map((key) => `${keyText(key)}\n`)
      .reverse()
      .join("");
  }

  async import(app: string, text: string): Promise<readonly string[]> {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const keys = lines.map(parseKeyText);
    if (keys.length === 0 || keys.includes(null))
      throw fail("KEY_INVALID", "The text is not a key that was exported", {
        why: "A line of it is not of the form scrim-key-1.<id>.<key>, or was changed on the way.",
        hint: "Export the key again on the machine that has it, and pass on the whole text.",
      });
    const present = new Set(await this.ids(app));
    const added: string[] = [];
    for (const key of keys) {
      if (key === null || present.has(key.id)) continue;
      await this.#append(app, key);
      present.add(key.id);
      added.push(key.id);
    }
    return added;
  }

  /** Newest first. */
  async #keys(app: string): Promise<readonly AppKey[]> {
    const names = await this.#store.list(folderOf(app), KEYS_MAX);
    const keys: AppKey[] = [];
    for (const name of names) {
      const bytes = await this.#store.get(name);
      if (bytes !== null) keys.push(this.#parse(name, bytes));
    }
    return keys;
  }

  #parse(name: string, bytes: Uint8Array): AppKey {
    const key = parseKeyText(Buffer.from(bytes).toString("utf8"));
    if (key !== null) return key;
    throw fail("KEY_WRONG", `The file ${this.location}/${name} is not a key`, {
      why: "It was changed or damaged: its id does not belong to its content.",
      hint: "Put the file back from a backup, or delete it and import the key again.",
      exit: EXIT.home,
    });
  }

  async #append(app: string, key: AppKey): Promise<AppKey> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const [newest] = await this.#store.list(folderOf(app), 1);
      const slot = newest === undefined ? 0 : (slotOf(newest) ?? 0);
      if (await this.#put(app, slot + 1, key)) return key;
    }
    throw fail("KEY_BUSY", `Other processes are changing the keys of ${app}`, {
      hint: "Run the command again.",
      exit: EXIT.locked,
    });
  }

  async #put(app: string, slot: number, key: AppKey): Promise<boolean> {
    const bytes = Buffer.from(`${keyText(key)}\n`, "utf8");
    const name = folderOf(app) + slotKey(slot);
    return (await commitSlot(this.#store, name, bytes, this.#clock)) === "ours";
  }
}

/** The keys in a folder of this machine, which is made when the first key is. */
export function openKeyFolder(folder: string, random: Random, clock: Clock): KeyRing {
  return new StoredKeyRing(new DirectoryStore(folder, nodeDisk), random, clock);
}

function folderOf(app: string): string {
  return `${encodeName("a", app)}/`;
}
