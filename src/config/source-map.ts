import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, resolve } from "node:path";
import type { Locator } from "../components/call-site.ts";
import type { SourceLocation } from "../model/diagnostic.ts";

/** An option further below the call than this is not looked for: it more likely belongs to another call. */
const KEY_WITHIN_LINES = 200;

/** Where another call or function begins, whose options are not the ones looked for. */
const NEXT_CALL = /\bnew scrim\.|\.route\(|\brun\s*[(:]/;

/** Finds places of the user's source from stack traces of the bundled config. Reads the map when first asked. */
export class ConfigLocator implements Locator {
  readonly #bundleName: string;
  readonly #mapFile: string;
  #map: SourceMap | null | undefined;

  /** @param bundleFile absolute path of the bundled config; its map lies beside it, with `.map` behind the name */
  constructor(bundleFile: string) {
    this.#bundleName = `/${basename(bundleFile)}`;
    this.#mapFile = `${bundleFile}.map`;
  }

  locate(stack: string, key: string | null): SourceLocation | null {
    for (const line of stack.split("\n")) {
      const location = this.#frame(line);
      if (location !== null) return key === null ? location : optionBelow(location, key);
    }
    return null;
  }

  #frame(line: string): SourceLocation | null {
    // The name alone, which is a hash: loaders differ in how they write the folder.
    if (!line.includes(this.#bundleName)) return null;
    const position = /:(\d+):(\d+)\)?$/.exec(line);
    if (position === null) return null;
    const entry = this.#sourceMap()?.findEntry(Number(position[1]) - 1, Number(position[2]) - 1);
    if (entry === undefined || !("originalSource" in entry)) return null;
    return {
      file: resolve(dirname(this.#mapFile), entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  }

  #sourceMap(): SourceMap | null {
    this.#map ??= readMap(this.#mapFile);
    return this.#map;
  }
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Places are a courtesy: without the map, messages go without them.
    return null;
  }
}

/** As {@link keyBelow}, among the options of the call or function that begins at `from`. */
export function optionBelow(from: SourceLocation, key: string): SourceLocation | null {
  return keyBelow(from, key, NEXT_CALL);
}

/**
 * The first line at or below a place where `key` is written as a key of an object; null when there is none nearby.
 * Text is enough here: a wrong guess costs a line number, not correctness.
 *
 * @param until what ends the search when a later line holds it
 */
export function keyBelow(
  from: SourceLocation,
  key: string,
  until: RegExp | null = null,
): SourceLocation | null {
  const lines = readLines(from.file);
  const quoted = key.replace(/[$]/g, "\\$&");
  const written = new RegExp(`(?:^|[\\s{,(])["'\`]?(${quoted})["'\`]?\\s*(?:[:,}(]|$)`);
  const last = Math.min(lines.length, from.line - 1 + KEY_WITHIN_LINES);
  for (let index = from.line - 1; index < last; index += 1) {
    const line = lines[index] ?? "";
    if (index >= from.line && until?.test(line)) return null;
    const match = written.exec(line);
    if (match !== null) {
      return {
        file: from.file,
        line: index + 1,
        column: match.index + match[0].indexOf(key) + 1,
      };
    }
  }
  return null;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
