import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { afterEach, expect, test } from "vitest";
import type { FunctionSpec } from "../components/node.ts";
import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import type { Bundle } from "./bundle.ts";
import { bundleFunctions } from "./bundle-functions.ts";
import { type TestProject, testProject, testSpec } from "./project.fixture.ts";

const projects: TestProject[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.dispose();
});

function project(files: Readonly<Record<string, string>>): TestProject {
  const made = testProject(files);
  projects.push(made);
  return made;
}

/** Lets file times fall behind, so that what was written counts as settled. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 60));

function bundle(at: TestProject, ...specs: FunctionSpec[]): Promise<Map<FunctionSpec, Bundle>> {
  return bundleFunctions({ projectRoot: at.root, cacheFolder: at.cacheFolder, specs });
}

async function one(at: TestProject, spec: FunctionSpec): Promise<Bundle> {
  const made = (await bundle(at, spec)).get(spec);
  if (made === undefined) throw new Error("no bundle");
  return made;
}

async function problems(at: TestProject, ...specs: FunctionSpec[]): Promise<readonly Diagnostic[]> {
  const error = await bundle(at, ...specs).catch((thrown: unknown) => thrown);
  if (!(error instanceof DiagnosticError)) throw error;
  return error.diagnostics;
}

function contents(made: Bundle): Record<string, string> {
  const files = unzipSync(readFileSync(made.zipFile));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

/** Modes by name, from the zip's central directory (APPNOTE.TXT 4.3.12). */
function unixModes(zip: Buffer): Record<string, number> {
  const modes: Record<string, number> = {};
  for (
    let at = zip.indexOf("PK\u0001\u0002");
    at >= 0;
    at = zip.indexOf("PK\u0001\u0002", at + 4)
  ) {
    const nameLength = zip.readUInt16LE(at + 28);
    modes[zip.toString("utf8", at + 46, at + 46 + nameLength)] = zip.readUInt16LE(at + 40);
  }
  return modes;
}

/** Unpacks a bundle and runs its export in a process of its own. */
function run(made: Bundle): unknown {
  const folder = `${made.zipFile}.unpacked`;
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(made.zipFile)))) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const exported = made.handler.replace("index.", "");
  const script = `import(${JSON.stringify(pathToFileURL(join(folder, "index.mjs")).href)})
    .then(m => m[${JSON.stringify(exported)}]({})).then(r => console.log(JSON.stringify(r)))`;
  return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

test("a TypeScript handler becomes a zip whose index.mjs runs", async () => {
  const at = project({
    "src/notes.ts": `import { text } from "./text.js"; enum E { A = 7 }
      export const list = async (event: object): Promise<string> => text(E.A);`,
    "src/text.ts": 'export const text = (n: number) => "note " + n;',
  });
  const made = await one(at, testSpec("src/notes.list"));
  expect(made.handler).toBe("index.list");
  expect(Object.keys(contents(made))).toEqual(["index.mjs"]);
  expect(run(made)).toBe("note 7");
  expect(made.inputs).toContain(join(at.root, "src/text.ts"));
  expect(statSync(made.zipFile).size).toBe(made.sizeBytes);
});

test("functions of one file share one build; each is checked for its own export", async () => {
  const at = project({
    "src/notes.ts": "export const list = () => 1; export const create = () => 2;",
  });
  const specs = [testSpec("src/notes.list"), testSpec("src/notes.create")];
  const made = await bundle(at, ...specs);
  const hashes = specs.map((spec) => made.get(spec)?.hash);
  expect(hashes[0]).toBe(hashes[1]);
  const stored = readdirSync(join(at.cacheFolder, "bundles"));
  expect(stored.filter((name) => name.endsWith(".zip"))).toHaveLength(1);
  const [problem] = await problems(at, ...specs, testSpec("src/notes.creat"));
  expect(problem).toMatchObject({
    code: "HANDLER_EXPORT_MISSING",
    message: "src/notes.ts exports no creat",
    hint: "Did you mean create?",
    exit: 2,
    source: { file: "scrim.config.ts", line: 12 },
  });
});

test("a bundle has the same bytes in any folder, any time zone and any company", async () => {
  const files = {
    "src/a.ts": `import { x } from "lib"; export const handler = () => x;`,
    "src/b.ts": `import { x } from "lib"; export const handler = () => x + 1;`,
    "node_modules/lib/package.json": `{"name":"lib","main":"main.js"}`,
    "node_modules/lib/main.js": "exports.x = __filename.length > 0 ? 1 : 0;",
  };
  const settings = { sourcemap: true };
  const first = project(files);
  const second = project(files);
  const alone = await one(first, testSpec("src/a.handler", settings));
  const before = process.env["TZ"];
  process.env["TZ"] = "Pacific/Apia";
  const a = testSpec("src/a.handler", settings);
  const together = await bundle(second, testSpec("src/b.handler", settings), a);
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
  expect(together.get(a)?.hash).toBe(alone.hash);
  const { "index.mjs.map": map = "", "index.mjs": code = "" } = contents(alone);
  expect(JSON.parse(map).sources).toEqual(["node_modules/lib/main.js", "src/a.ts"]);
  expect(map + code).not.toContain(first.root);
  expect(code).toMatch(/\n\/\/# sourceMappingURL=index.mjs.map\n$/);
});

test("CommonJS handlers, CommonJS dependencies and modules that declare require all run", async () => {
  const at = project({
    "src/old.js": `exports.handler = async () => require("node:path").basename(__dirname).length > 0;
      exports.other = () => 2;`,
    "src/new.mjs": `import { createRequire } from "node:module"; import dep from "dep";
      const require = createRequire(import.meta.url); const __dirname = "mine";
      export const handler = () => [typeof require, __dirname, dep()];`,
    "node_modules/dep/index.js": `module.exports = () => { const n = "os"; return typeof require(n).cpus; };`,
  });
  const specs = ["src/old.handler", "src/old.other", "src/new.handler"].map((h) => testSpec(h));
  const made = await bundle(at, ...specs);
  expect([...made.values()].map(run)).toEqual([true, 2, ["function", "mine", "function"]]);
  await settle();
  expect([...(await bundle(at, ...specs)).values()]).toEqual([...made.values()]);
});

test("assets and copied files lie beside the code, executables stay executable", async () => {
  const at = project({
    "src/a.ts": `import text from "./t.txt"; import logo from "./logo.png";
      import { readFileSync } from "node:fs";
      export const handler = () => [text, readFileSync(new URL(logo, import.meta.url), "utf8"),
        readFileSync(new URL("./data/x/1.json", import.meta.url), "utf8")];`,
    "src/t.txt": "hello",
    "src/logo.png": "PNG",
    "assets/x/1.json": "{}",
    "assets/tool.sh": "#!/bin/sh",
  });
  execFileSync("chmod", ["+x", join(at.root, "assets/tool.sh")]);
  const settings = {
    loader: { ".txt": "text", ".png": "file" },
    copyFiles: [{ from: "assets", to: "data" }],
  };
  const made = await one(at, testSpec("src/a.handler", settings));
  expect(run(made)).toEqual(["hello", "PNG", "{}"]);
  const modes = unixModes(readFileSync(made.zipFile));
  expect([modes["data/tool.sh"], modes["index.mjs"]]).toEqual([0o100755, 0o100644]);
  await settle();
  at.write("assets/x/2.json", "[]");
  const next = await one(at, testSpec("src/a.handler", settings));
  expect(Object.keys(contents(next))).toContain("data/x/2.json");
});

test.each([
  ["../../etc/passwd.handler", "HANDLER_OUTSIDE_PROJECT"],
  ["src/../../x.handler", "HANDLER_OUTSIDE_PROJECT"],
  ["/abs/x.h", "HANDLER_OUTSIDE_PROJECT"],
  ["C:/x.h", "HANDLER_OUTSIDE_PROJECT"],
  ["link.handler", "HANDLER_OUTSIDE_PROJECT"],
  ["loop.handler", "HANDLER_NOT_FOUND"],
  ["src/x", "HANDLER_INVALID"],
  ["", "HANDLER_INVALID"],
  [".handler", "HANDLER_INVALID"],
  ["src/.handler", "HANDLER_INVALID"],
  ["src/x.", "HANDLER_INVALID"],
  ["src/x.ts", "HANDLER_INVALID"],
  ["src/x.ts.handler", "HANDLER_INVALID"],
  ["src/x.a-b", "HANDLER_INVALID"],
  ["src\\x.handler", "HANDLER_INVALID"],
  ["src/x\n.handler", "HANDLER_INVALID"],
  ["src/X.handler", "HANDLER_CASE_MISMATCH"],
  ["Src/x.handler", "HANDLER_CASE_MISMATCH"],
  ["src/nope.handler", "HANDLER_NOT_FOUND"],
  ["nope/x.handler", "HANDLER_NOT_FOUND"],
  ["src/folder.handler", "HANDLER_NOT_FOUND"],
])("handler %j is refused before anything is built", async (handler, code) => {
  const at = project({ "src/x.ts": "export const handler = 1;", "src/folder/index.ts": "" });
  symlinkSync("/etc/hostname", join(at.root, "link.ts"));
  symlinkSync("loop.ts", join(at.root, "loop.ts"));
  const [problem, ...more] = await problems(at, testSpec(handler));
  expect(problem).toMatchObject({ code, exit: 2, source: { file: "scrim.config.ts", line: 12 } });
  expect(more).toEqual([]);
});

test("hints name the likely file", async () => {
  const at = project({ "src/notes.ts": "", "src/users/index.ts": "" });
  const told = await problems(at, testSpec("src/ntes.list"), testSpec("src/users.list"));
  expect(told.map(({ hint }) => hint)).toEqual([
    "Did you mean notes?",
    "src/users is a folder; to use its index file write src/users/index.",
  ]);
});

test("all problems of all functions are told together, at their place in the code", async () => {
  const at = project({
    "src/syntax.ts": "export const handler = () => {\n  return 1 +;\n};",
    "src/missing.ts": `import "./nowhere";\nimport "left-pad";\nexport const handler = 1;`,
    "src/native.ts": `import "addon"; export const handler = 1;`,
    "src/fine.ts": "export const handler = 1;",
    "node_modules/addon/index.js": `module.exports = require("./build/a.node");`,
    "node_modules/addon/build/a.node": "ELF",
  });
  const names = ["syntax", "missing", "native", "fine", "gone"];
  const told = await problems(at, ...names.map((name) => testSpec(`src/${name}.handler`)));
  expect(told.map(({ code }) => code)).toEqual([
    "BUNDLE_FAILED",
    "BUNDLE_IMPORT_UNRESOLVED",
    "BUNDLE_IMPORT_UNRESOLVED",
    "BUNDLE_NATIVE_MODULE",
    "HANDLER_NOT_FOUND",
  ]);
  expect(told[0]?.source).toEqual({ file: join(at.root, "src/syntax.ts"), line: 2, column: 13 });
  expect(told[0]?.message).toBe('Unexpected ";"');
  expect(told[2]?.hint).toContain("npm install left-pad");
  expect(told[3]?.message).toBe("addon has native code, which cannot be bundled");
});

test("wrong settings are told at the component", async () => {
  const at = project({ "src/x.ts": "export const handler = 1;" });
  const told = await problems(
    at,
    testSpec("src/x.handler", { loader: { ".x": "nope" } }),
    testSpec("src/x.handler", { copyFiles: [{ from: "../other", to: "other" }] }),
    testSpec("src/x.handler", { copyFiles: [{ from: "src", to: "../out" }] }),
    testSpec("src/x.handler", { copyFiles: [{ from: "src/x.ts", to: "index.mjs" }] }),
  );
  expect(told.map(({ code }) => code).sort()).toEqual([
    "BUNDLE_OPTION_INVALID",
    "COPY_FILES_INVALID",
    "COPY_FILES_INVALID",
    "COPY_FILES_INVALID",
  ]);
});

test("a bundle over the limit is refused", async () => {
  const at = project({ "src/x.ts": "export const handler = 1;", "big.bin": "" });
  truncateSync(join(at.root, "big.bin"), 251 * 1024 * 1024);
  const copyFiles = [{ from: "big.bin", to: "big.bin" }];
  const [problem] = await problems(at, testSpec("src/x.handler", { copyFiles }));
  expect(problem?.code).toBe("BUNDLE_TOO_LARGE");
});

test("exports passed on from a module outside the bundle are taken on trust", async () => {
  const at = project({ "src/x.ts": `export * from "outside";` });
  expect((await one(at, testSpec("src/x.any", { external: ["outside"] }))).handler).toBe(
    "index.any",
  );
});

test("unchanged functions are taken from the cache without loading esbuild", async () => {
  const at = project({ "src/x.ts": `import "./y"; export const handler = 1;`, "src/y.ts": "" });
  const script = join(at.root, "run.ts");
  await settle();
  const made = await one(at, testSpec("src/x.handler"));
  const url = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  writeFileSync(
    script,
    `import { bundleFunctions } from ${url("./bundle-functions.ts")};
     import { testSpec } from ${url("./project.fixture.ts")};
     const made = await bundleFunctions({ projectRoot: ${JSON.stringify(at.root)},
       cacheFolder: ${JSON.stringify(at.cacheFolder)}, specs: [testSpec("src/x.handler")] });
     console.log([...made.values()][0].hash);`,
  );
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [script],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: ["esbuild"],
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
  });
  writeFileSync(join(at.root, "run.mjs"), outputFiles[0]?.text ?? "");
  at.write("node_modules/esbuild/index.js", `throw new Error("esbuild was loaded");`);
  const again = () => {
    return execFileSync(process.execPath, [join(at.root, "run.mjs")], {
      encoding: "utf8",
      stdio: "pipe",
    });
  };
  // The stand-in's folder is a new neighbor of the sources' folder, so the record no longer holds.
  expect(again).toThrow("esbuild was loaded");
  await settle();
  await one(at, testSpec("src/x.handler"));
  expect(again()).toContain(made.hash);
});

test.each<[string, (at: TestProject) => void, boolean]>([
  ["an input's content", (at) => at.write("src/y.ts", "export const y = 2;"), true],
  ["nothing but times", (at) => utimesSync(join(at.root, "src/y.ts"), 1, 1), false],
  ["a file that comes after", (at) => at.write("src/z.css", ""), false],
  ["a file that comes before", (at) => at.write("src/z.ts", "export const z = 9;"), true],
  ["the tsconfig", (at) => at.write("base.json", `{"compilerOptions":{"jsxFactory":"k"}}`), true],
  ["a file that is not used", (at) => at.write("src/unused.ts", "!"), false],
  ["a test beside it", (at) => at.write("src/y.test.ts", "!"), false],
])("after a change of %s the bundle is right", async (_, change, differs) => {
  const at = project({
    "src/x.tsx": `import { y } from "./y"; import { z } from "./z";
      export const handler = () => [y, z, <a/>]; const h: any = 0, k: any = 0;`,
    "src/y.ts": "export const y = 1;",
    "src/z.js": "export const z = 1;",
    "tsconfig.json": `{ "extends": "./base" /* c */ }`,
    "base.json": `{"compilerOptions":{"jsxFactory":"h"}}`,
  });
  await settle();
  const before = await one(at, testSpec("src/x.handler"));
  change(at);
  await settle();
  const after = await one(at, testSpec("src/x.handler"));
  expect(after.hash !== before.hash).toBe(differs);
});

test("damage to the cache is noticed and built over", async () => {
  const at = project({ "src/x.ts": "export const handler = () => 1;" });
  await settle();
  const spec = testSpec("src/x.handler");
  const made = await one(at, spec);
  const index = join(at.cacheFolder, "bundles/index");
  const whole = readFileSync(index, "utf8");
  const damages = [
    () => writeFileSync(index, ""),
    () => writeFileSync(index, whole.slice(0, whole.length / 2)),
    () => writeFileSync(index, whole.replace('"exports":["handler"]', '"exports":["hamdler"]')),
    () => writeFileSync(made.zipFile, "x"),
    () => writeFileSync(made.zipFile, readFileSync(made.zipFile).fill(0, 10, 20)),
    () => rmSync(made.zipFile),
    () => rmSync(at.cacheFolder, { recursive: true }),
  ];
  for (const damage of damages) {
    damage();
    expect(await one(at, spec)).toEqual(made);
    expect(run(made)).toBe(1);
  }
  const left = readdirSync(join(at.cacheFolder, "bundles"));
  expect(left.filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("bundles that nothing uses are deleted after a day", async () => {
  const at = project({ "src/x.ts": "export const handler = () => 1;" });
  const old = await one(at, testSpec("src/x.handler"));
  const yesterday = Date.now() / 1000 - 25 * 3600;
  utimesSync(old.zipFile, yesterday, yesterday);
  await settle();
  at.write("src/x.ts", "export const handler = () => 2;");
  await settle();
  const made = await one(at, testSpec("src/x.handler"));
  expect([existsSync(old.zipFile), existsSync(made.zipFile)]).toEqual([false, true]);
});

test("an aborted run starts no build", async () => {
  const at = project({ "src/x.ts": "export const handler = 1;" });
  const signal = AbortSignal.abort(new Error("stop"));
  const specs = [testSpec("src/x.handler")];
  await expect(
    bundleFunctions({ projectRoot: at.root, cacheFolder: at.cacheFolder, specs, signal }),
  ).rejects.toThrow("stop");
});
