import type { Diagnostic } from "../model/diagnostic.ts";
import type { StoredZip } from "./bundle-store.ts";
import type { FileVersion } from "./file-ledger.ts";
import type { FolderView } from "./folder-listing.ts";

/** What bundling one unit gave, and from which files: valid for as long as these have not changed. */
export interface BundleRecord {
  readonly inputs: readonly FileVersion[];
  readonly folders: readonly FolderView[];
  /** Null for a CommonJS entry, of which each export is a unit of its own. */
  readonly zip: StoredZip | null;
  readonly exports: readonly string[];
  readonly exportsOpen: boolean;
  readonly warnings: readonly Diagnostic[];
  /** Milliseconds since the epoch, in whole days: the index is not rewritten for less. */
  usedDayMs: number;
}
