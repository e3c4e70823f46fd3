import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../model/diagnostic.ts";
import { loadEnvFiles, readEnvFile } from "./env-files.ts";
import { parseEnv } from "./parse-env.ts";
import { projectWith } from "./project.fixture.ts";

function valuesOf(text: string): Readonly<Record<string, string>> {
  const { entries } = parseEnv(text, ".env");
  return Object.fromEntries([...entries].map(([key, { value }]) => [key, value]));
}

function problemsIn(body: () => unknown): readonly { code: string; line: number | undefined }[] {
  try {
    body();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ code, source }) => ({ code, line: source?.line }));
  }
  return [];
}

describe("the text of an .env file", () => {
  it.each([
    ["A=b", "b"],
    ["\uFEFFA=b", "b"],
    ["A=b\r\nB=c", "b"],
    ["A=b\rB=c", "b"],
    ["export A=b", "b"],
    ["  A = b  ", "b"],
    ["A: b", "b"],
    ["A=", ""],
    ["A=''", ""],
    ["A=b=c==", "b=c=="],
    ["A=b # c", "b"],
    ["A= # c", ""],
    ['A="b # c" # d', "b # c"],
    ["A='b \" c'", 'b " c'],
    ["A=`b ' \" c`", "b ' \" c"],
    ['A="b\\nc"', "b\nc"],
    ["A='b\\nc'", "b\\nc"],
    ["A=b\\nc", "b\\nc"],
    ['A="b\nc"', "b\nc"],
    ["A='b\n\n# c\n'", "b\n\n# c\n"],
    ['A="say \\"b\\""', 'say "b"'],
    ['A=\'{"b": "c"}\'', '{"b": "c"}'],
    [`A=\${HOME}`, `\${HOME}`],
    ["A=$(id)", "$(id)"],
    ["A=C:\\dir\\x", "C:\\dir\\x"],
    ["# A=x\n\n   \nA=b", "b"],
    ["A=it's", "it's"],
  ])("%j sets A to %j", (text, value) => {
    expect(valuesOf(text)["A"]).toBe(value);
  });

  it("takes names that objects have by nature", () => {
    const { entries } = parseEnv("__proto__=a\nconstructor=b", ".env");
    expect([...entries.keys()]).toEqual(["__proto__", "constructor"]);
  });

  it.each([
    ['A=1\nB="open\nC=2', 2],
    ["A='open", 1],
    ["A=1\n1B=2", 2],
    ["A=1\nnothing", 2],
    ["A-=1\nB C=2", 2],
    ["A=\u0000", 1],
    ['A="b" c', 1],
    ["=b", 1],
    ["A='a\0b'", 1],
  ])("%j is refused with its line", (text, line) => {
    expect(problemsIn(() => parseEnv(text, ".env"))).toContainEqual({
      code: "ENV_FILE_INVALID",
      line,
    });
  });

  it("with an unterminated quote is still read to the end, for all problems at once", () => {
    const problems = problemsIn(() => parseEnv("A='x\nB=1\nnothing\n2C=3", ".env"));
    expect(problems.map(({ line }) => line)).toEqual([1, 3, 4]);
  });

  it("never shows a value in a problem", () => {
    try {
      parseEnv("A='hunter2\nhunter2 B=hunter2", ".env");
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain("hunter2 ");
      expect(JSON.stringify(error)).not.toContain("=hunter2");
    }
  });

  it("warns about a repeated key and about a value that a # cuts", () => {
    const { entries, warnings } = parseEnv("A=1\nB=pa#ss\nA=2", ".env");
    expect(entries.get("A")).toEqual({ value: "2", line: 3 });
    expect(entries.get("B")?.value).toBe("pa");
    expect(warnings.map(({ code, source }) => [code, source?.line])).toEqual([
      ["ENV_VALUE_CUT", 2],
      ["ENV_KEY_REPEATED", 3],
    ]);
  });

  it("gives back any value that was written in single quotes", () => {
    const unit = fc.constantFrom(...'ab =#:"`$\\\n\t{}', "export ", "\u00e9", "\u{1f600}");
    const value = fc.string({ unit });
    fc.assert(
      fc.property(value, (text) => {
        expect(valuesOf(`A='${text}'`)["A"]).toBe(text);
      }),
    );
  });

  it("of a megabyte is read in no time", () => {
    const long = "x".repeat(1_000_000);
    expect(valuesOf(`A=${long}`)["A"]).toHaveLength(1_000_000);
    expect(problemsIn(() => parseEnv(`A="\n${"#\n".repeat(500_000)}`, ".env"))).toHaveLength(1);
  });
});

describe("the environment of a config", () => {
  it("is the process environment, then .env, then .env.<stage>, with a warning for what loses", () => {
    const folder = projectWith({ ".env": "A=base\nB=base", ".env.dev": "B=dev\nC=dev\nD=dev" });
    const loaded = loadEnvFiles(folder, "dev", { D: "shell", E: "shell" });
    expect({ ...loaded.env }).toEqual({ A: "base", B: "base", C: "dev", D: "shell", E: "shell" });
    expect(loaded.warnings.map(({ code, message }) => [code, message])).toEqual([
      ["ENV_KEY_OVERRIDDEN", "B in .env.dev has no effect: .env sets it too and wins"],
    ]);
    expect(loaded.explain).toEqual([
      { key: "A", source: ".env", line: 1, overridden: [] },
      { key: "B", source: ".env", line: 2, overridden: [".env.dev"] },
      { key: "C", source: ".env.dev", line: 2, overridden: [] },
      { key: "D", source: "environment", line: null, overridden: [".env.dev"] },
    ]);
  });

  it("knows no other stage's file", () => {
    const folder = projectWith({ ".env.prod": "A=1" });
    expect({ ...loadEnvFiles(folder, "dev", {}).env }).toEqual({});
  });

  it("never takes from a file what steers the tool itself, nor the stage from a stage's file", () => {
    const folder = projectWith({
      ".env": "NODE_OPTIONS=--inspect\nPATH=/x\nLD_PRELOAD=x",
      ".env.dev": "SCRIM_STAGE=prod",
    });
    const loaded = loadEnvFiles(folder, "dev", {});
    expect({ ...loaded.env }).toEqual({});
    expect(loaded.warnings.map(({ code }) => code)).toEqual(Array(4).fill("ENV_KEY_IGNORED"));
  });

  it("keeps a variable named __proto__ a variable", () => {
    const folder = projectWith({ ".env": "__proto__=x" });
    expect(Object.keys(loadEnvFiles(folder, "dev", {}).env)).toEqual(["__proto__"]);
  });

  it("refuses an .env that is a folder, a pipe, a binary or UTF-16", () => {
    const folder = projectWith({});
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    writeFileSync(join(folder, "binary"), Uint8Array.of(0x41, 0x3d, 0xff, 0xfe));
    writeFileSync(join(folder, "utf16"), Buffer.from("\uFEFFA=b", "utf16le"));
    for (const name of ["folder", "pipe", "binary", "utf16"]) {
      expect(problemsIn(() => readEnvFile(join(folder, name)))).toMatchObject([
        { code: "ENV_FILE_UNREADABLE" },
      ]);
    }
    expect(readEnvFile(join(folder, "none"))).toBeNull();
  });
});
