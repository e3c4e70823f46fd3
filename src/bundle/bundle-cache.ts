import type { BundleRecord } from "./bundle-record.ts";
import type { BundleStore } from "./bundle-store.ts";
import { readIndex, writeIndex } from "./cache-index.ts";
import type { FileLedger } from "./file-ledger.ts";
import type { FolderListings } from "./folder-listing.ts";

const DAY_MS = 24 * 3600 * 1000;
const RECORDS_MAX = 2000;
const UNUSED_DAYS_MAX = 14;
/** Of zips, the most recently used first. */
const BYTES_MAX = 1024 ** 3;

/** Records of what was bundled, kept between runs. */
export class BundleCache {
  readonly #projectRoot: string;
  readonly #cacheFolder: string;
  readonly #store: BundleStore;
  readonly #ledger: FileLedger;
  readonly #records: Map<string, BundleRecord>;
  readonly #used = new Set<string>();
  #dirty = false;

  constructor(projectRoot: string, cacheFolder: string, store: BundleStore, ledger: FileLedger) {
    this.#projectRoot = projectRoot;
    this.#cacheFolder = cacheFolder;
    this.#store = store;
    this.#ledger = ledger;
    this.#records = readIndex(projectRoot, cacheFolder);
    for (const record of this.#records.values()) {
      for (const version of record.inputs) ledger.remember(version);
    }
  }

  /** The record of a unit, when none of its inputs has changed since. */
  find(key: string, listings: FolderListings, nowMs: number): BundleRecord | null {
    const record = this.#records.get(key);
    if (record === undefined) return null;
    const current =
      record.inputs.every((version) => this.#ledger.isCurrent(version)) &&
      record.folders.every((view) => listings.isCurrent(view)) &&
      (record.zip === null || this.#store.isWhole(record.zip));
    if (!current) {
      this.#records.delete(key);
      this.#dirty = true;
      return null;
    }
    this.#use(key, record, nowMs);
    return record;
  }

  put(key: string, record: BundleRecord, nowMs: number): void {
    this.#records.set(key, record);
    this.#dirty = true;
    this.#use(key, record, nowMs);
  }

  #use(key: string, record: BundleRecord, nowMs: number): void {
    this.#used.add(key);
    const day = Math.floor(nowMs / DAY_MS) * DAY_MS;
    if (record.usedDayMs === day) return;
    record.usedDayMs = day;
    this.#dirty = true;
  }

  /**
   * Writes the index and deletes old bundles, when there is something new to write.
   *
   * @throws DiagnosticError `CACHE_UNWRITABLE` (exit 1)
   */
  save(nowMs: number): void {
    if (!this.#dirty && !this.#ledger.restamped) return;
    this.#trim(nowMs);
    writeIndex(this.#projectRoot, this.#cacheFolder, this.#records);
    const used = [...this.#records.values()].flatMap(({ zip }) => zip?.hash ?? []);
    this.#store.sweep(new Set(used), nowMs);
    this.#dirty = false;
  }

  /** Drops what can never be found again, then the least recently used that this run did not need. */
  #trim(nowMs: number): void {
    const byUse = [...this.#records].sort(([, a], [, b]) => b.usedDayMs - a.usedDayMs);
    let count = 0;
    let bytes = 0;
    for (const [key, record] of byUse) {
      count += 1;
      bytes += record.zip?.sizeBytes ?? 0;
      const old = nowMs - record.usedDayMs > UNUSED_DAYS_MAX * DAY_MS;
      const outdated = !record.inputs.every((version) => this.#ledger.isNewest(version));
      if (outdated) this.#records.delete(key);
      if (this.#used.has(key)) continue;
      if (old || count > RECORDS_MAX || bytes > BYTES_MAX) this.#records.delete(key);
    }
  }
}
