import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadApp } from "../../src/config/load.ts";
import { writeScrimEnv } from "../../src/config/scrim-env.ts";
import { root } from "../support/root.ts";
import { type Block, blocksOf, pages } from "./markdown.ts";

// A block of TypeScript in a page is one of four:
// - a whole config, which begins with the reference to the config's types;
// - "ts run", the body of a config's run();
// - a file of the project of the config above it, which begins with a comment that holds its path;
// - "ts fragment", a form rather than code, which nobody can compile.

const REFERENCE = '/// <reference types="scrim/config" />';
const FILE = /^\/\/ (src\/\S+\.ts)\n/;

/** Where configs without files of their own are checked together. */
const ALONE = "alone";

/** A config and the files that belong to it. */
interface Snippet {
  readonly place: string;
  /** Of the project, below the folder of all. */
  readonly folder: string;
  /** Name of the config's file. */
  readonly config: string;
  readonly files: Readonly<Record<string, string>>;
}

const blocks = pages()
  .flatMap(blocksOf)
  .filter(({ info }) => /^(ts|typescript|tsx)\b/.test(info) && info !== "ts fragment");

let base = "";

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "scrim-docs-"));
  makePackages(base);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("code in the documentation", () => {
  it("is there, and of a kind that can be checked", () => {
    expect(blocks.length).toBeGreaterThan(15);
    expect(blocks.filter((block) => kindOf(block) === null).map(({ place }) => place)).toEqual([]);
  });

  it("belongs to a config where it is a file of a project", () => {
    const files = blocks.filter((block) => kindOf(block) === "file");
    const taken = snippets().flatMap(({ files: own }) => Object.values(own));
    expect(files.filter(({ text }) => !taken.includes(text)).map(({ place }) => place)).toEqual([]);
  });

  it.each(snippets())("describes an app: $place", async ({ folder, config, files }) => {
    for (const [file, text] of Object.entries(files)) write(join(base, folder, file), text);
    const configFile = join(base, folder, config);
    const loaded = await loadApp({ configFile, stage: "alice", env: {} });
    const { nodes } = await loaded.evaluate();
    expect(nodes.length).toBeGreaterThan(0);
    if (folder !== ALONE) writeScrimEnv(join(base, folder), nodes);
  });

  it.each([...new Set(snippets().map(({ folder }) => folder))])("type-checks: %s", (folder) => {
    expect(problemsIn(join(base, folder))).toBe("");
  });
});

describe("the example apps", () => {
  const names = readdirSync(join(root, "examples"));

  it("are there", () => expect(names).toContain("notes"));

  it.each(names)("type-checks with the types that are committed: %s", (name) => {
    const from = join(root, "examples", name);
    const to = join(base, "examples", name);
    const isSource = (path: string): boolean => !/node_modules|\.scrim$/.test(path);
    cpSync(from, to, { recursive: true, filter: (path) => path === from || isSource(path) });
    expect(tsc(to, ["--noEmit"])).toBe("");
  });
});

describe("examples in the docstrings of what configs use", () => {
  const examples = examplesOf([
    "aws/api-gateway-v2.ts",
    "aws/auth.ts",
    "aws/bucket.ts",
    "aws/cognito-user-pool.ts",
    "aws/dynamo.ts",
    "aws/function.ts",
    "aws/permission.ts",
    "interpolate.ts",
    "linkable.ts",
    "output.ts",
    "secret.ts",
  ]);

  it("type-check", () => {
    expect(examples.length).toBeGreaterThan(8);
    const folder = join(base, "docstrings");
    const prelude = [
      'const api = new scrim.aws.ApiGatewayV2("TheApi");',
      'const notes = new scrim.aws.Bucket("TheNotes");',
      'const auth = new scrim.aws.Auth("TheAuth", { authorizer: "src/auth.handler" });',
      'const users = new scrim.aws.CognitoUserPool("TheUsers");',
    ];
    const body = [
      ...prelude,
      ...examples.map((example) => `{\n${example}\n}`),
      "void [notes, auth, users];",
    ];
    write(join(folder, "scrim.config.ts"), configAround(body.join("\n")));
    expect(problemsIn(folder)).toBe("");
  });

  it("can go red: a misspelled option is found", () => {
    const folder = join(base, "misspelled");
    const text = configAround('new scrim.aws.Bucket("Uploads", { versionin: true });');
    write(join(folder, "scrim.config.ts"), text);
    expect(problemsIn(folder)).toContain("versionin");
  });
});

function kindOf({ info, text }: Block): "config" | "run" | "file" | null {
  if (info === "ts run") return "run";
  if (text.startsWith(REFERENCE)) return "config";
  return FILE.test(text) ? "file" : null;
}

/** Configs with the files that stand below them on the same page. */
function snippets(): readonly Snippet[] {
  return blocks.flatMap((block, index) => {
    const kind = kindOf(block);
    if (kind !== "config" && kind !== "run") return [];
    const text = kind === "run" ? configAround(block.text) : block.text;
    const sources = kind === "run" ? [] : filesBelow(index);
    const name = block.place.replaceAll(/[^\w.]+/g, "-");
    const [folder, config] =
      sources.length === 0 ? [ALONE, `${name}.config.ts`] : [name, "scrim.config.ts"];
    const files = Object.fromEntries([[config, text], ...sources]);
    return [{ place: block.place, folder, config, files }];
  });
}

function filesBelow(index: number): readonly (readonly [string, string])[] {
  const below = blocks.slice(index + 1).filter(({ page }) => page === blocks[index]?.page);
  const end = below.findIndex((block) => kindOf(block) === "config");
  return below
    .slice(0, end === -1 ? below.length : end)
    .filter((block) => kindOf(block) === "file")
    .map(({ text }) => [FILE.exec(text)?.[1] ?? "", text]);
}

function configAround(run: string): string {
  return [
    REFERENCE,
    "export default $config({",
    '  app: () => ({ name: "snippet", home: "local", removal: "remove" }),',
    "  async run() {",
    run,
    "  },",
    "});",
    "",
  ].join("\n");
}

function examplesOf(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const source = readFileSync(join(root, "src/components", file), "utf8");
    const found = [...source.matchAll(/@example\n(.*?)(?=\n\s*\*\/|\n\s*\* @)/gs)];
    return found.map((match) => (match[1] ?? "").replaceAll(/^\s*\* ?/gm, ""));
  });
}

/** The packages that snippets import, with types of ours made from the source as it is now. */
function makePackages(folder: string): void {
  const ours = join(folder, "node_modules/scrim");
  mkdirSync(ours, { recursive: true });
  cpSync(join(root, "package.json"), join(ours, "package.json"));
  const types = ["-p", "tsconfig.build.json", "--outDir", join(ours, "dist/types")];
  expect(tsc(root, types)).toBe("");
  for (const name of ["@types", "@aws-sdk"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  }
}

/** What the compiler says; empty when all is well. */
function problemsIn(folder: string): string {
  const compilerOptions = {
    ...{ target: "es2022", module: "esnext", moduleResolution: "bundler", strict: true },
    ...{ noEmit: true, skipLibCheck: true, types: ["node"] },
  };
  write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  return tsc(folder, ["-p", "."]);
}

function tsc(cwd: string, args: readonly string[]): string {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const result = spawnSync(process.execPath, [compiler, ...args], { cwd, encoding: "utf8" });
  const text = `${result.stdout}${result.stderr}`.trim();
  return result.status === 0 ? text : text || `tsc ended with ${result.status}`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
