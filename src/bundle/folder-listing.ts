import { readdirSync } from "node:fs";

/** Extensions that stand for each other when an import leaves the extension out, or writes `.js` for `.ts`. */
const INTERCHANGEABLE = /\.(?:[cm]?[jt]s|[jt]sx|json|css)$/;

/** Names that change how imports below a folder are resolved or compiled. */
const RESOLUTION_FILES = ["package.json", "tsconfig.json", "node_modules"];

/** A folder, and the names in it that a build depends on, present or absent. */
export interface FolderView {
  /** Absolute path. */
  readonly folder: string;
  readonly stems: readonly string[];
  /** What there was under these stems, sorted and joined by `/`. */
  readonly names: string;
}

/** A name without the extension that an import may leave out. */
export function stemOf(name: string): string {
  return name.replace(INTERCHANGEABLE, "");
}

/**
 * Names in folders, each folder read once. A new file can change a bundle without any of its inputs changing:
 * `foo.ts` beside `foo.js`, a nearer `node_modules`, a `tsconfig.json`. Folder views notice that.
 */
export class FolderListings {
  readonly #folders = new Map<string, ReadonlyMap<string, readonly string[]>>();

  /** All names of a folder; none when it cannot be read. */
  names(folder: string): readonly string[] {
    return [...this.#read(folder).values()].flat();
  }

  view(folder: string, stems: readonly string[]): FolderView {
    return { folder, stems, names: this.#matching(folder, stems) };
  }

  isCurrent(view: FolderView): boolean {
    return this.#matching(view.folder, view.stems) === view.names;
  }

  has(folder: string, name: string): boolean {
    return this.#read(folder).get(stemOf(name))?.includes(name) ?? false;
  }

  #matching(folder: string, stems: readonly string[]): string {
    const byStem = this.#read(folder);
    const found = stems.flatMap((stem) => byStem.get(stem) ?? []);
    const config = RESOLUTION_FILES.filter((name) => byStem.get(stemOf(name))?.includes(name));
    return [...new Set([...found, ...config])].sort().join("/");
  }

  #read(folder: string): ReadonlyMap<string, readonly string[]> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const byStem = new Map<string, string[]>();
    for (const name of readNames(folder)) {
      const stem = stemOf(name);
      const names = byStem.get(stem);
      if (names === undefined) byStem.set(stem, [name]);
      else names.push(name);
    }
    this.#folders.set(folder, byStem);
    return byStem;
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Gone, not a folder, or not ours to read: an import cannot be resolved in it either.
  }
}
