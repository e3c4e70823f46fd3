import { type Zippable, zipSync } from "fflate";

export interface ZipEntry {
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/**
 * Level 3 costs two thirds of the time of level 6 and gains all but 7 % of the size (800 kB of AWS SDK code: 30 ms,
 * 357 kB against 44 ms, 334 kB). Node's own zlib is quicker still, but its output differs between processors.
 */
const LEVEL = 3;

/**
 * Packs files so that the same files give the same bytes on any machine: sorted, one fixed time, fixed modes.
 *
 * @param entries by slash-separated name
 */
export function zipFiles(entries: ReadonlyMap<string, ZipEntry>): Uint8Array {
  const zippable: Record<string, Zippable[string]> = {};
  for (const name of [...entries.keys()].sort()) {
    const entry = entries.get(name);
    if (entry === undefined) continue;
    const mode = entry.executable ? 0o100755 : 0o100644;
    // Without Unix modes (os 3) a Lambda function may not be allowed to read its own files.
    zippable[name] = [entry.content, { os: 3, attrs: (mode << 16) >>> 0 }];
  }
  return zipSync(zippable, { level: LEVEL, mtime: earliest() });
}

/**
 * The zip format writes local time, so the date is made from local parts: noon, which no time zone's clock change
 * ever skipped, on the first day the format knows.
 */
function earliest(): Date {
  return new Date(1980, 0, 1, 12, 0, 0);
}
