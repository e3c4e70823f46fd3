import { execFileSync, type StdioOptions } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import type { BundleSettings, FunctionSpec } from "../components/node.ts";
import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import type { Bundle } from "./bundle.ts";
import { bundleFunctions } from "./bundle-functions.ts";
import { type TestProject, testProject, testSpec } from "./project.fixture.ts";
import { createWatcher } from "./watch.ts";

const FILES = {
  "src/auth.ts": `import { idOf } from "./id.ts";
    export const handler = async (event: { headers: object }) => ({ user: { id: idOf(event) } });`,
  "src/id.ts": "export const idOf = (event: any): string => event.headers.id;",
  "src/notes.ts": `export const list = async (event: any) => event.requestContext.authorizer;
    export const create = async () => "created";`,
  "src/old.cjs": `exports.auth = async () => ({ user: { id: "old" } });
    exports.list = (event, context, callback) => callback(null, event.requestContext.authorizer);`,
};

const AUTH_SOURCE = { file: "scrim.config.ts", line: 9, column: 1 };
const projects: TestProject[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.dispose();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function project(files: Readonly<Record<string, string>> = FILES): TestProject {
  const made = testProject(files);
  projects.push(made);
  return made;
}

function behind(
  authorizer: string,
  handler: string,
  settings: Partial<BundleSettings> = {},
): FunctionSpec {
  const spec = { ...testSpec(authorizer), source: AUTH_SOURCE };
  return { ...testSpec(handler, settings), authorizer: spec };
}

async function bundle(at: TestProject, ...specs: FunctionSpec[]): Promise<readonly Bundle[]> {
  const { root: projectRoot, cacheFolder } = at;
  const made = await bundleFunctions({ projectRoot, cacheFolder, specs });
  return specs.flatMap((spec) => made.get(spec) ?? []);
}

async function problems(at: TestProject, spec: FunctionSpec): Promise<readonly Diagnostic[]> {
  const error = await bundle(at, spec).catch((thrown: unknown) => thrown);
  if (!(error instanceof DiagnosticError)) throw new Error("there was no problem");
  return error.diagnostics;
}

function textOf(made: Bundle | undefined, name = "index.mjs"): string {
  const files = unzipSync(readFileSync(made?.zipFile ?? ""));
  return Buffer.from(files[name] ?? "").toString();
}

/** Sends one request to a bundle, in a process of its own. */
function run(made: Bundle | undefined, headers: object): unknown {
  const folder = mkdtempSync(join(tmpdir(), "scrim-composed-"));
  folders.push(folder);
  writeFileSync(join(folder, "index.mjs"), textOf(made));
  const exported = made?.handler.replace("index.", "") ?? "";
  const script = `import(${JSON.stringify(pathToFileURL(join(folder, "index.mjs")).href)})
    .then(m => m[${JSON.stringify(exported)}](${JSON.stringify({ headers })}, {}))
    .then(r => console.log(JSON.stringify(r)))`;
  const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8", stdio }));
}

describe("a function with an authorizer", () => {
  it("is one module in which the handler runs only behind it", async () => {
    const at = project();
    const [made] = await bundle(at, behind("src/auth.handler", "src/notes.list"));
    expect(run(made, { id: "u1" })).toEqual({ userId: "u1" });
    expect(run(made, {})).toMatchObject({ statusCode: 401, body: "Unauthorized" });
    for (const file of ["src/auth.ts", "src/id.ts", "src/notes.ts"]) {
      expect(made?.inputs).toContain(join(at.root, file));
    }
  });

  it("may be of CommonJS modules", async () => {
    const at = project();
    const specs = [
      behind("src/old.auth", "src/old.list"),
      behind("src/old.auth", "src/notes.list"),
      behind("src/auth.handler", "src/old.list"),
    ];
    const [both, first, second] = await bundle(at, ...specs);
    expect(run(both, {})).toEqual({ userId: "old" });
    expect(run(first, {})).toEqual({ userId: "old" });
    expect(run(second, { id: "u1" })).toEqual({ userId: "u1" });
  });

  it("is never the bundle of the same handler without, or with another one", async () => {
    const at = project({ ...FILES, "src/other.ts": "export const handler = async () => null;" });
    const specs = [
      testSpec("src/notes.list"),
      behind("src/auth.handler", "src/notes.list"),
      behind("src/other.handler", "src/notes.list"),
      behind("src/auth.handler", "src/notes.create"),
    ];
    const [open, closed, other, create] = await bundle(at, ...specs);
    const hashes = new Set([open, closed, other, create].map((made) => made?.hash));
    expect(hashes.size).toBe(4);
    const again = await bundle(at, ...specs);
    expect(again.map(({ hash }) => hash)).toEqual(
      [open, closed, other, create].map((made) => made?.hash),
    );
    expect(run(again[2], { id: "u1" })).toMatchObject({ statusCode: 401 });
  });

  it("is made anew when a file of its authorizer changes", async () => {
    const at = project();
    const spec = behind("src/auth.handler", "src/notes.list");
    await new Promise((resolve) => setTimeout(resolve, 60));
    const [before] = await bundle(at, spec);
    at.write("src/id.ts", 'export const idOf = () => "";');
    const [after] = await bundle(at, spec);
    expect(after?.hash).not.toBe(before?.hash);
    expect(run(after, { id: "u1" })).toMatchObject({ statusCode: 401 });
  });

  it("has the same bytes in any folder and any company, and tells no path of this machine", async () => {
    const settings = { sourcemap: true };
    const specs = ["list", "create"].map((name) =>
      behind("src/auth.handler", `src/notes.${name}`, settings),
    );
    const [alone] = await bundle(project(), ...specs.slice(0, 1));
    const [together] = await bundle(project(), ...specs);
    expect(together?.hash).toBe(alone?.hash);
    for (const text of [textOf(alone), textOf(alone, "index.mjs.map")]) {
      expect(text).not.toMatch(/\.\.\/\.\.|\/tmp|\/work|node_modules/);
    }
  });

  it("is small: the authorizer's part of ours is below 7 kB", async () => {
    const minify = { minify: true };
    const [open] = await bundle(project(), testSpec("src/notes.list", minify));
    const [closed] = await bundle(project(), behind("src/auth.handler", "src/notes.list", minify));
    expect(textOf(closed).length - textOf(open).length).toBeLessThan(7_000);
  });
});

describe("what is wrong with an authorizer", () => {
  it("is told at the Auth component", async () => {
    const at = project();
    const told = (authorizer: string) => problems(at, behind(authorizer, "src/notes.list"));
    expect(await told("src/auth.handlr")).toMatchObject([
      {
        ...{ code: "HANDLER_EXPORT_MISSING", message: "src/auth.ts exports no handlr" },
        ...{ hint: "Did you mean handler?", source: AUTH_SOURCE },
      },
    ]);
    expect(await told("src/atuh.handler")).toMatchObject([
      { code: "HANDLER_NOT_FOUND", source: AUTH_SOURCE },
    ]);
  });

  it("is told apart from what is wrong with the handler", async () => {
    const spec = behind("src/auth.handler", "src/notes.gone");
    expect(await problems(project(), spec)).toMatchObject([
      {
        ...{ code: "HANDLER_EXPORT_MISSING", message: "src/notes.ts exports no gone" },
        source: { line: 12 },
      },
    ]);
  });

  it("is mended by a save of its file while functions are watched", async () => {
    const at = project({ ...FILES, "auth/login.ts": "export const handlr = 1;" });
    const spec = behind("auth/login.handler", "src/notes.list");
    let mended: (value: boolean) => void = () => undefined;
    const done = new Promise<boolean>((resolve) => {
      mended = resolve;
    });
    const { root: projectRoot, cacheFolder } = at;
    const onChange = (_: FunctionSpec, outcome: object) => mended("bundle" in outcome);
    const watcher = createWatcher({ projectRoot, cacheFolder, onChange });
    try {
      await watcher.update([spec]);
      at.write("auth/login.ts", FILES["src/auth.ts"].replace("./id", "../src/id"));
      expect(await done).toBe(true);
    } finally {
      await watcher.close();
    }
  });
});
