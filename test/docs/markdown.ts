import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../support/root.ts";

/** A Markdown file of this repository. */
export interface Page {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block. */
export interface Block {
  /** `docs/guide/data.md:12`, the line of its first line of content. */
  readonly place: string;
  readonly page: string;
  /** The words behind the fence, such as `ts run`. */
  readonly info: string;
  readonly text: string;
}

const NOT_OURS = new Set(["node_modules", "dist", ".cache", ".scrim", ".git", "coverage"]);

/** Every page, ordered by path. */
export function pages(): readonly Page[] {
  return markdownBelow(root)
    .map((file) => ({
      path: relative(root, file).replaceAll("\\", "/"),
      text: readFileSync(file, "utf8"),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function markdownBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownBelow(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** @throws Error for a fence that is never closed */
export function blocksOf(page: Page): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly info: string; readonly line: number; readonly lines: string[] } | null =
    null;
  page.text.split("\n").forEach((line, index) => {
    const fence = /^```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === null) open = { info: (fence[1] ?? "").trim(), line: index + 2, lines: [] };
    else {
      const { info, line: first, lines } = open;
      const place = `${page.path}:${first}`;
      blocks.push({ place, page: page.path, info, text: `${lines.join("\n")}\n` });
      open = null;
    }
  });
  if (open !== null) throw new Error(`${page.path} ends inside of a fenced block`);
  return blocks;
}

/** The text outside of fenced blocks. */
export function proseOf(page: Page): string {
  return page.text.replace(/^```.*?^```$/gms, "");
}
