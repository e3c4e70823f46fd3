import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, "src");

/** Which folders of src a folder may import, itself and model aside. docs/architecture.md draws the same table. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  config: ["components"],
  components: [],
  bundle: ["components"],
  engine: ["home"],
  home: [],
  clouds: ["engine", "components", "bundle", "home", "runtime", "system"],
  system: [],
  auth: [],
  runtime: ["auth"],
  operations: ["config", "components", "bundle", "engine", "home", "clouds", "runtime"],
  cli: ["operations", "home", "clouds", "system"],
  testing: ["system", "engine", "home", "components", "bundle", "clouds", "operations"],
};

/** Folders that must not reach even model: they end up in users' bundles. */
const ALONE = new Set(["auth", "runtime"]);

/** Text that names a cloud may stand only where clouds are chosen or described. */
const MAY_NAME_CLOUDS = new Set(["clouds", "config"]);

interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
}

/** Tests and what only tests use may reach for anything. */
function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.endsWith(".fixture.ts");
}

function sourceFiles(): readonly SourceFile[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replaceAll("\\", "/"))
    .map((path) => ({
      path,
      folder: path.split("/")[0] ?? "",
      text: readFileSync(join(src, path), "utf8"),
    }));
}

function importsOf(file: SourceFile): readonly string[] {
  const found = file.text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  return [...found].map((match) => {
    const target = join(dirname(join(src, file.path)), match[1] ?? "");
    return relative(src, target).replaceAll("\\", "/");
  });
}

const files = sourceFiles();
const edges = files
  .filter((file) => !isTest(file.path))
  .flatMap((file) => importsOf(file).map((target) => ({ file, target })));

function violationsOf(file: Pick<SourceFile, "path" | "folder">, target: string): string[] {
  const folder = target.split("/")[0] ?? "";
  if (target.startsWith("..")) return [`${file.path} imports ${target}, outside src`];
  if (folder === file.folder) return [];
  if (folder === "model" && !ALONE.has(file.folder)) return [];
  if (MAY_IMPORT[file.folder]?.includes(folder)) return [];
  return [`${file.path} imports ${target}`];
}

describe("architecture", () => {
  it("looked at the real source", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(edges.length).toBeGreaterThan(200);
  });

  it("lets every folder import only the folders below it", () => {
    expect(edges.flatMap(({ file, target }) => violationsOf(file, target))).toEqual([]);
  });

  it("can go red: an engine that imports a cloud is named", () => {
    expect(
      violationsOf({ path: "engine/plan/create-plan.ts", folder: "engine" }, "clouds/cloud.ts"),
    ).toEqual(["engine/plan/create-plan.ts imports clouds/cloud.ts"]);
  });

  it("knows every folder of src", () => {
    const folders = new Set(files.filter((file) => file.path.includes("/")).map((f) => f.folder));
    expect([...folders].filter((folder) => MAY_IMPORT[folder] === undefined)).toEqual([]);
  });

  it("names a cloud only where clouds are chosen", () => {
    const naming = files
      .filter((file) => !isTest(file.path) && !MAY_NAME_CLOUDS.has(file.folder))
      .filter((file) => file.folder !== "testing" && !file.path.startsWith("components/aws/"))
      .filter((file) => /"(aws|local)"/.test(file.text))
      .map((file) => file.path);
    expect(naming).toEqual([]);
  });
});
