import { buildRouteMap, type Command, type RouteMap } from "@stricli/core";
import { describe, expect, it } from "vitest";
import type { CliContext } from "../../src/cli/command.ts";
import { allRoutes } from "../../src/cli/routes.ts";
import { blocksOf, type Page, pages, proseOf } from "./markdown.ts";

/** A command line of ours somewhere in the documentation, behind `scrim`. */
interface Line {
  readonly page: string;
  readonly words: readonly string[];
}

type Target = Command<CliContext> | RouteMap<CliContext>;

const rootMap = buildRouteMap<string, CliContext>({
  routes: await allRoutes(),
  docs: { brief: "all" },
});
const lines = pages().flatMap(linesOf);

describe("commands in the documentation", () => {
  it("are there", () => {
    expect(lines.length).toBeGreaterThan(80);
  });

  it("exist, with the flags they are given", () => {
    const problems = lines.flatMap((line) =>
      problemsOf(line).map((problem) => `${line.page}: scrim ${line.words.join(" ")}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it("can go red: an unknown command and an unknown flag are found", () => {
    expect(problemsOf({ page: "", words: ["deplo"] })).toEqual(["no command deplo"]);
    expect(problemsOf({ page: "", words: ["deploy", "--stge", "x"] })).toEqual(["no flag --stge"]);
  });
});

/** In blocks for shells and terminals, and between backticks. */
function linesOf(page: Page): readonly Line[] {
  const inBlocks = blocksOf(page).flatMap(({ info, text }) => {
    const all = text.split("\n");
    if (info === "sh") return all;
    return info === "console" ? all.flatMap((line) => line.match(/(?<=^\$ ).*/) ?? []) : [];
  });
  const inline = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
  return [...inBlocks, ...inline].flatMap((text) => {
    const words = wordsOf(text);
    return words === null ? [] : [{ page: page.path, words }];
  });
}

/** The words behind `scrim` of the last command of a line; null when it is none of ours. */
function wordsOf(text: string): readonly string[] | null {
  const [code = ""] = text.split(/\s#/);
  const part = code
    .split(/&&|\||;|[<>]\s/)
    .find((each) => /^\s*(\w+=\S* )*(npx )?scrim /.test(each));
  return (
    part
      ?.trim()
      .replace(/^(\w+=\S* )*(npx )?scrim /, "")
      .split(/\s+/) ?? null
  );
}

function problemsOf({ words }: Line): readonly string[] {
  let target: Target = rootMap;
  for (const word of words) {
    if (!("getRoutingTargetForInput" in target) || !/^[a-z]/.test(word)) break;
    const next: Target | undefined = target.getRoutingTargetForInput(camel(word));
    if (next === undefined) return [`no command ${word}`];
    target = next;
  }
  const known = flagsOf(target);
  return words
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.replace(/[=,.].*$/, ""))
    .filter((word) => !known.has(word))
    .map((word) => `no flag ${word}`);
}

function flagsOf(target: Target): ReadonlySet<string> {
  const own = "parameters" in target ? Object.keys(target.parameters.flags ?? {}) : [];
  return new Set(["--help", ...own.map((name) => `--${kebab(name)}`), "--version"]);
}

function camel(word: string): string {
  return word.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function kebab(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
