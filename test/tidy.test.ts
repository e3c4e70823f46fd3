import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tracked = listFiles();
const code = tracked.filter((file) => /\.(ts|mts|mjs|js|tsx)$/.test(file));
const text = new Map(
  tracked.filter(isText).map((file) => [file, readFileSync(join(root, file), "utf8")]),
);

function listFiles(): readonly string[] {
  const out = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return out.split("\n").filter((line) => line !== "" && line !== "package-lock.json");
}

function isText(file: string): boolean {
  return /\.(ts|mts|mjs|js|tsx|md|json|css|html|yml|yaml|sh)$/.test(file) || file === ".ci/run";
}

function matching(files: Iterable<string>, pattern: RegExp): string[] {
  return [...files].flatMap((file) =>
    (text.get(file) ?? "")
      .split("\n")
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}

describe("tidy", () => {
  it("looked at the real tree", () => {
    expect(code.length).toBeGreaterThan(100);
    expect(text.size).toBeGreaterThan(code.length);
  });

  it("keeps every source file below 500 lines", () => {
    const long = code.filter((file) => (text.get(file) ?? "").split("\n").length > 500);
    expect(long).toEqual([]);
  });

  it("has no bins for odd things", () => {
    expect(
      code.filter((file) => /(^|\/)(utils?|helpers?|common|misc|manager)(\.|\/)/.test(file)),
    ).toEqual([]);
  });

  it("names files in kebab case", () => {
    const odd = code.filter(
      (file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(file.split("/").at(-1) ?? ""),
    );
    expect(odd).toEqual([]);
  });

  it("leaves nothing unfinished or silenced", () => {
    const words = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|");
    const silenced = `@ts-(${"ignore|nocheck"})|\\b(it|test|describe)\\.(only|todo)\\b`;
    expect(matching(code, new RegExp(`\\b(${words})\\b|${silenced}`))).toEqual([]);
  });

  it("uses ASCII punctuation in code", () => {
    expect(matching(code, /[\u2010-\u2015\u2018-\u201f\u2026\u00a0]/)).toEqual([]);
  });

  it("carries no download address in the lock file", () => {
    const lock = readFileSync(join(root, "package-lock.json"), "utf8");
    expect(lock.match(/"resolved": "[^"]*:\/\/[^"]*"/g) ?? []).toEqual([]);
  });

  it("pins every dependency exactly", () => {
    const pkg = JSON.parse(text.get("package.json") ?? "{}") as Record<
      string,
      Record<string, string>
    >;
    const all = Object.entries({ ...pkg["dependencies"], ...pkg["devDependencies"] });
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});
