import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Store } from "../store.ts";
import type { Disk } from "./disk.ts";
import { diskFailure, errorCode, WITHOUT_LINKS, withoutLinks } from "./disk-failure.ts";
import { checkKey, isKeySegment } from "./store-key.ts";

/** Where files are written before they get their names. It begins with a dot, so no key can lie in it. */
const DRAFTS = ".drafts";
/** A draft this much older than a new one was left by a process that ended. */
const DRAFT_LIFETIME_MS = 3_600_000;

/** How waiting for a folder fails that cannot be opened, or that is on a disk of which nothing changes. */
const CLOSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "EINVAL", "ENOTSUP"]);

/**
 * A store in a folder. A value is written to a draft, made durable, and only then linked to its name: link() fails
 * when the name is taken, so a name never shows half a value and never changes what it shows.
 */
export class DirectoryStore implements Store {
  readonly location: string;
  readonly #disk: Disk;
  /** Folders whose own names are known to be durable. */
  readonly #durableFolders = new Set<string>();
  #isChecked = false;
  #areDraftsSwept = false;
  #draftNumber = 0;

  constructor(folder: string, disk: Disk) {
    this.location = resolve(folder);
    this.#disk = disk;
  }

  async get(key: string): Promise<Uint8Array | null> {
    const path = this.#pathOf(key);
    return this.#reading(() => orNull(() => this.#disk.read(path)));
  }

  async list(prefix: string, limit: number, after = ""): Promise<readonly string[]> {
    return this.#reading(() => {
      const found: string[] = [];
      const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      this.#collect({ prefix, limit, after }, start, found);
      return found;
    });
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    const path = this.#pathOf(key);
    // What is ready in the event loop may add to the caller's next write while this one is on its way.
    await turnOfEventLoop();
    return this.#writing(() => this.#create(path, bytes));
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    this.#writing(() => orNull(() => this.#disk.remove(path)));
  }

  #create(path: string, bytes: Uint8Array): "created" | "exists" {
    const folder = dirname(path);
    this.#ensureFolder(folder);
    const draft = this.#writeDraft(bytes);
    try {
      const answer = this.#link(draft, path);
      // Also where it exists: whoever reads it next may rely on it before its writer has got as far as here.
      this.#disk.syncFolder(folder);
      return answer;
    } finally {
      this.#discard(draft);
    }
  }

  /** A draft that cannot be removed is swept later; what it was for is not worse for it. */
  #discard(draft: string): void {
    try {
      this.#disk.remove(draft);
    } catch (error) {
      if (errorCode(error) === "") throw error;
    }
  }

  #link(draft: string, path: string): "created" | "exists" {
    try {
      this.#disk.link(draft, path);
      return "created";
    } catch (error) {
      const code = errorCode(error);
      if (code === "EEXIST") return "exists";
      if (WITHOUT_LINKS.has(code)) throw withoutLinks(this.location, code);
      throw error;
    }
  }

  #writeDraft(bytes: Uint8Array): string {
    const folder = join(this.location, DRAFTS);
    this.#ensureFolder(folder);
    for (;;) {
      this.#draftNumber += 1;
      const draft = join(folder, `${process.pid}-${this.#draftNumber}`);
      try {
        this.#disk.writeNew(draft, bytes);
      } catch (error) {
        // Left by an earlier process of the same number; its own next draft has a number of its own.
        if (errorCode(error) === "EEXIST") continue;
        this.#discard(draft);
        throw error;
      }
      if (!this.#areDraftsSwept) this.#sweepDrafts(draft);
      return draft;
    }
  }

  /** Ages are compared with a new draft's, so that only the file system's clock counts. */
  #sweepDrafts(draft: string): void {
    this.#areDraftsSwept = true;
    const folder = dirname(draft);
    const { modifiedMs } = this.#disk.status(draft);
    for (const { name } of this.#disk.list(folder)) {
      if (name === basename(draft)) continue;
      const path = join(folder, name);
      orNull(() => {
        if (modifiedMs - this.#disk.status(path).modifiedMs > DRAFT_LIFETIME_MS)
          this.#disk.remove(path);
      });
    }
  }

  /** Makes a folder with those above it, and their names durable: once for each, whoever made them. */
  #ensureFolder(folder: string): void {
    const parent = dirname(folder);
    if (parent === folder || this.#durableFolders.has(folder)) return;
    this.#ensureFolder(parent);
    const isNew = orNull(() => this.#disk.status(folder)) === null;
    if (isNew) this.#makeFolder(folder);
    this.#syncNameOf(folder, isNew);
    this.#durableFolders.add(folder);
  }

  #syncNameOf(folder: string, isNew: boolean): void {
    try {
      this.#disk.syncFolder(dirname(folder));
    } catch (error) {
      // What is above the home may be closed to its user, as /home can be; but not where it was made just now.
      const isInside = folder.length > this.location.length;
      if (isInside || isNew || !CLOSED.has(errorCode(error))) throw error;
    }
  }

  #makeFolder(folder: string): void {
    try {
      this.#disk.makeFolder(folder);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }

  /** Walks in the order of whole keys, in which `a-b/x` comes before `a/x`. Leaves out what cannot be asked for. */
  #collect(query: ListQuery, folderKey: string, found: string[]): void {
    const entries = orNull(() => this.#disk.list(resolve(this.location, folderKey))) ?? [];
    const keys = entries
      .filter((entry) => isKeySegment(entry.name))
      .map((entry) => `${folderKey}${entry.name}${entry.isFolder ? "/" : ""}`)
      .filter((key) => mayHold(query, key))
      .sort();
    for (const key of keys) {
      if (found.length >= query.limit) return;
      if (key.endsWith("/")) this.#collect(query, key, found);
      else found.push(key);
    }
  }

  #pathOf(key: string): string {
    checkKey(key);
    return join(this.location, key);
  }

  #reading<T>(read: () => T): T {
    try {
      this.#checkOnce();
      return read();
    } catch (error) {
      throw diskFailure(error, this.location, "read");
    }
  }

  #writing<T>(write: () => T): T {
    try {
      this.#checkOnce();
      return write();
    } catch (error) {
      throw diskFailure(error, this.location, "write");
    }
  }

  /** Who may write here could make this tool delete what it likes. */
  #checkOnce(): void {
    if (this.#isChecked) return;
    const status = orNull(() => this.#disk.status(this.location));
    if (status === null) return;
    if (!status.isFolder)
      throw fail("HOME_UNREADABLE", `${this.location} is not a folder`, {
        hint: "Move away what is there, or name another folder.",
        exit: EXIT.home,
      });
    if (status.writableByOthers)
      throw fail("HOME_UNSAFE", `Other users may write to ${this.location}`, {
        why: "Whoever writes there decides what is deployed and deleted in your name.",
        hint: `Run: chmod go-w ${this.location}`,
        exit: EXIT.home,
      });
    this.#isChecked = true;
  }
}

interface ListQuery {
  readonly prefix: string;
  readonly limit: number;
  readonly after: string;
}

/** Whether a key, or some key in a folder (ending in `/`), can be part of the answer. */
function mayHold({ prefix, after }: ListQuery, key: string): boolean {
  if (!key.endsWith("/")) return key.startsWith(prefix) && key > after;
  const isOnTheWay = key.startsWith(prefix) || prefix.startsWith(key);
  return isOnTheWay && (key > after || after.startsWith(key));
}

/** Null where there is no such file. */
function orNull<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(errorCode(error))) return null;
    throw error;
  }
}
