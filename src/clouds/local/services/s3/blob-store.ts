import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { hasCode, syncFolder } from "../../durable-file.ts";

/** One file of an object's bytes. An object is a list of them, one a part. */
export interface Segment {
  /** 32 hex digits, chosen at random: a file is written once and never changed. */
  readonly blob: string;
  readonly size: number;
}

/**
 * The files that hold objects' bytes. A file is durable before the row that names it, and is
 * deleted after that row is gone; whatever a crash leaves in between is garbage that {@link
 * BlobStore.sweep} removes.
 */
export class BlobStore {
  readonly #folder: string;
  readonly #folders = new Set<string>();
  /** How many readers each blob has; it is deleted only when there are none. */
  readonly #readers = new Map<string, number>();
  readonly #doomed = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts a new file. */
  async create(): Promise<BlobWriter> {
    const blob = randomBytes(16).toString("hex");
    const folder = await this.#folderOf(blob);
    const path = join(folder, blob);
    return new BlobWriter(blob, path, folder, await open(path, "wx", 0o600));
  }

  /**
   * Keeps the segments from being deleted until the returned function is called. Call it in the
   * same turn in which the row was read.
   */
  hold(segments: readonly Segment[]): () => void {
    for (const { blob } of segments) this.#readers.set(blob, (this.#readers.get(blob) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      for (const { blob } of segments) this.#letGo(blob);
    };
  }

  /** The bytes from `start` up to and without `end`, across segments. */
  async *read(segments: readonly Segment[], start: number, end: number): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const { blob, size } of segments) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, size);
      offset += size;
      if (from < to) yield* this.#open(blob, from, to);
    }
  }

  /**
   * Deletes the files, now or when their last reader is done. A failure leaves garbage for the next
   * sweep.
   */
  async delete(segments: readonly Segment[]): Promise<void> {
    for (const { blob } of segments) {
      if (this.#readers.has(blob)) this.#doomed.add(blob);
      else await this.#remove(blob);
    }
  }

  /** Every file there is. */
  async list(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const folder of await namesIn(this.#folder))
      names.push(...(await namesIn(join(this.#folder, folder))));
    return names;
  }

  /**
   * Deletes those of `files` that `isNamed` does not know. `files` must have been listed before the
   * first write.
   */
  async sweep(files: readonly string[], isNamed: (blob: string) => boolean): Promise<void> {
    for (const blob of files) if (!isNamed(blob)) await this.#remove(blob);
  }

  async *#open(blob: string, from: number, to: number): AsyncGenerator<Buffer> {
    const path = join(this.#folder, blob.slice(0, 2), blob);
    const stream: Readable = createReadStream(path, { start: from, end: to - 1 });
    for await (const chunk of stream) yield chunk;
  }

  #letGo(blob: string): void {
    const readers = (this.#readers.get(blob) ?? 1) - 1;
    if (readers > 0) this.#readers.set(blob, readers);
    else this.#readers.delete(blob);
    if (readers === 0 && this.#doomed.delete(blob)) void this.#remove(blob);
  }

  async #remove(blob: string): Promise<void> {
    await rm(join(this.#folder, blob.slice(0, 2), blob), { force: true }).catch(() => undefined);
  }

  /** 256 folders keep each small; a new one is made durable in its parent. */
  async #folderOf(blob: string): Promise<string> {
    const folder = join(this.#folder, blob.slice(0, 2));
    if (this.#folders.has(folder)) return folder;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(this.#folder);
    await syncFolder(dirname(this.#folder));
    this.#folders.add(folder);
    return folder;
  }
}

/** A file on its way. Ends with {@link BlobWriter.finish} or {@link BlobWriter.discard}. */
export class BlobWriter {
  readonly #blob: string;
  readonly #path: string;
  readonly #folder: string;
  readonly #file: FileHandle;
  #size = 0;

  constructor(blob: string, path: string, folder: string, file: FileHandle) {
    this.#blob = blob;
    this.#path = path;
    this.#folder = folder;
    this.#file = file;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, at);
      at += bytesWritten;
    }
    this.#size += chunk.length;
  }

  /** Resolves when the bytes and the file's name are on the disk. */
  async finish(): Promise<Segment> {
    await this.#file.sync();
    await this.#file.close();
    await syncFolder(this.#folder);
    return { blob: this.#blob, size: this.#size };
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
}
