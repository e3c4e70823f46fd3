import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/root.ts";
import { type Page, pages, proseOf } from "./markdown.ts";

interface Link {
  readonly page: string;
  readonly target: string;
}

const all = pages();
const byPath = new Map(all.map((page) => [page.path, page]));
const links = all.flatMap(relativeLinks);

describe("links in the documentation", () => {
  it("looked at real pages", () => {
    expect(all.length).toBeGreaterThan(20);
    expect(links.length).toBeGreaterThan(50);
  });

  it("lead to files that are there, and to headings in them", () => {
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });

  it("can go red: a missing file and a missing heading are found", () => {
    expect(leadsSomewhere({ page: "README.md", target: "docs/nothing.md" })).toBe(false);
    expect(leadsSomewhere({ page: "README.md", target: "docs/glossary.md#nothing" })).toBe(false);
  });

  it("reach every page from the README", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached) {
      for (const { target } of links.filter(({ page }) => page === path)) {
        const file = fileOf(path, target);
        if (byPath.has(file)) reached.add(file);
      }
    }
    const pagesOfDocs = all.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
    expect(pagesOfDocs.filter((path) => !reached.has(path))).toEqual([]);
  });
});

function relativeLinks(page: Page): readonly Link[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => ({ page: page.path, target: match[1] ?? "" }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function fileOf(page: string, target: string): string {
  const path = target.split("#")[0] ?? "";
  return path === "" ? page : join(dirname(page), path).replaceAll("\\", "/");
}

function leadsSomewhere({ page, target }: Link): boolean {
  const file = fileOf(page, target);
  const heading = target.split("#")[1];
  if (!existsSync(join(root, file))) return false;
  if (heading === undefined) return true;
  const found = byPath.get(file);
  return found !== undefined && anchorsOf(found).includes(heading);
}

/** GitHub's names for headings: lower case, without punctuation, spaces as hyphens. */
function anchorsOf(page: Page): readonly string[] {
  return [...proseOf(page).matchAll(/^#{1,6} (.*)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
