import { dirname } from "node:path";
import type { Disk, DiskEntry, DiskStatus } from "../home/stores/disk.ts";

/** Thrown by every call of a process that has ended. It is no error of the operating system: nothing handles it. */
export class ProcessEnded extends Error {
  override readonly name = "ProcessEnded";
}

interface Node {
  /** Null for a folder. */
  content: Uint8Array | null;
  /** Whether the content would survive a power cut. */
  isSynced: boolean;
  readonly modifiedMs: number;
}

/** A name in a folder that was made or removed and may not be on the disk itself yet. */
interface NameChange {
  readonly path: string;
  readonly node: Node | null;
}

/** What may go wrong with the n-th effect of a process: it ends before or after it, or the call fails. */
export type DiskFault = "crash-before" | "crash-after" | "torn" | "ENOSPC" | "EIO" | "EACCES";

/**
 * A disk that loses, at a power cut, whatever was not waited for: contents become empty, torn or filled up with NUL
 * bytes, and names come or go, each by itself. Processes that end leave everything as it is.
 */
export class SimulatedDisk {
  readonly #next: () => number;
  /** What running processes see. */
  #names = new Map<string, Node>();
  /** What a power cut leaves, apart from `#unsynced`. */
  #durable = new Map<string, Node>();
  #unsynced: NameChange[] = [];
  #boot = 1;
  #ticks = 0;

  /** `next` gives numbers from 0 to 1, which decide what a power cut takes. */
  constructor(next: () => number) {
    this.#next = next;
    const root: Node = { content: null, isSynced: true, modifiedMs: 0 };
    this.#names.set("/", root);
    this.#durable.set("/", root);
  }

  /** A process's way to the disk. `fault` may make one of its effects (counted from 0) fail or be its last. */
  process(fault: (effect: number) => DiskFault | null = () => null): SimulatedProcess {
    return new SimulatedProcess(this, this.#boot, fault);
  }

  get boot(): number {
    return this.#boot;
  }

  /** Ends every process and takes what was not synced. */
  cutPower(): void {
    this.#boot += 1;
    const survivors = new Map(this.#durable);
    for (const { path, node } of this.#unsynced) {
      if (this.#next() < 0.5) continue;
      if (node === null) survivors.delete(path);
      else survivors.set(path, node);
    }
    for (const node of new Set(survivors.values())) this.#tear(node);
    this.#names = withoutOrphans(survivors);
    this.#durable = new Map(this.#names);
    this.#unsynced = [];
  }

  /** For the processes of this file. */
  node(path: string): Node {
    const node = this.#names.get(path);
    if (node === undefined) throw errno("ENOENT");
    return node;
  }

  entries(folder: string): DiskEntry[] {
    if (this.node(folder).content !== null) throw errno("ENOTDIR");
    return [...this.#names]
      .filter(([path]) => path !== "/" && dirname(path) === folder)
      .map(([path, node]) => ({
        name: path.slice(path.lastIndexOf("/") + 1),
        isFolder: node.content === null,
      }));
  }

  add(path: string, content: Uint8Array | null, isSynced: boolean): Node {
    this.#ticks += 1;
    const node = { content, isSynced, modifiedMs: this.#ticks };
    this.name(path, node);
    return node;
  }

  name(path: string, node: Node): void {
    if (this.#names.has(path)) throw errno("EEXIST");
    if (this.node(dirname(path)).content !== null) throw errno("ENOTDIR");
    this.#names.set(path, node);
    this.#unsynced.push({ path, node });
  }

  remove(path: string): void {
    this.node(path);
    this.#names.delete(path);
    this.#unsynced.push({ path, node: null });
  }

  syncNames(folder: string): void {
    this.node(folder);
    for (const { path, node } of this.#unsynced) {
      if (dirname(path) !== folder) continue;
      if (node === null) this.#durable.delete(path);
      else this.#durable.set(path, node);
    }
    this.#unsynced = this.#unsynced.filter(({ path }) => dirname(path) !== folder);
  }

  /** What an unfinished write leaves of some bytes. */
  torn(bytes: Uint8Array): Uint8Array {
    const kept = new Uint8Array(bytes).slice(0, Math.floor(this.#next() * bytes.length));
    if (this.#next() < 0.5) return kept;
    const filled = new Uint8Array(bytes.length);
    filled.set(kept);
    return filled;
  }

  #tear(node: Node): void {
    if (node.content === null || node.isSynced) return;
    if (this.#next() < 0.7) node.content = this.torn(node.content);
    node.isSynced = true;
  }
}

/** One process on a {@link SimulatedDisk}. */
export class SimulatedProcess implements Disk {
  readonly #disk: SimulatedDisk;
  readonly #boot: number;
  readonly #fault: (effect: number) => DiskFault | null;
  #effects = 0;
  #hasEnded = false;

  constructor(disk: SimulatedDisk, boot: number, fault: (effect: number) => DiskFault | null) {
    this.#disk = disk;
    this.#boot = boot;
    this.#fault = fault;
  }

  get hasEnded(): boolean {
    return this.#hasEnded || this.#disk.boot !== this.#boot;
  }

  /** Effects so far: what a fault can be put at. */
  get effects(): number {
    return this.#effects;
  }

  read(path: string): Uint8Array {
    this.#mustRun();
    const { content } = this.#disk.node(path);
    if (content === null) throw errno("EISDIR");
    return new Uint8Array(content);
  }

  list(folder: string): readonly DiskEntry[] {
    this.#mustRun();
    return this.#disk.entries(folder);
  }

  status(path: string): DiskStatus {
    this.#mustRun();
    const { content, modifiedMs } = this.#disk.node(path);
    const isFolder = content === null;
    return { isFolder, writableByOthers: false, readableByOthers: false, modifiedMs };
  }

  makeFolder(folder: string): void {
    this.#effect(() => this.#disk.add(folder, null, true));
  }

  /** Three effects: the name, the content, the wait. */
  writeNew(path: string, bytes: Uint8Array): void {
    const node = this.#effect(() => this.#disk.add(path, new Uint8Array(), false));
    this.#effect(
      () => {
        node.content = new Uint8Array(bytes);
      },
      () => {
        node.content = this.#disk.torn(bytes);
      },
    );
    this.#effect(() => {
      node.isSynced = true;
    });
  }

  link(path: string, newPath: string): void {
    this.#effect(() => this.#disk.name(newPath, this.#disk.node(path)));
  }

  syncFolder(folder: string): void {
    this.#effect(() => this.#disk.syncNames(folder));
  }

  remove(path: string): void {
    this.#effect(() => this.#disk.remove(path));
  }

  #effect<T>(apply: () => T, applyPartly: () => void = () => {}): T {
    this.#mustRun();
    const fault = this.#fault(this.#effects);
    this.#effects += 1;
    switch (fault) {
      case null:
        return apply();
      case "crash-before":
        return this.#end();
      case "crash-after":
        apply();
        return this.#end();
      case "torn":
        applyPartly();
        return this.#end();
      default:
        applyPartly();
        throw errno(fault);
    }
  }

  #end(): never {
    this.#hasEnded = true;
    throw new ProcessEnded();
  }

  #mustRun(): void {
    if (this.hasEnded) throw new ProcessEnded();
  }
}

/** Names whose folder did not survive are gone with it. */
function withoutOrphans(names: ReadonlyMap<string, Node>): Map<string, Node> {
  const kept = new Map<string, Node>();
  for (const [path, node] of [...names].sort(([a], [b]) => a.length - b.length))
    if (path === "/" || kept.has(dirname(path))) kept.set(path, node);
  return kept;
}

function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}
