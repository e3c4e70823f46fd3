import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleFunctions } from "../bundle/bundle-functions.ts";
import { testSpec } from "../bundle/project.fixture.ts";
import { sealLinks } from "./seal-links.ts";

const links = {
  App: { name: "shop", stage: "alice" },
  Uploads: { type: "scrim.aws.Bucket", name: "shop-alice-uploads" },
  __proto__x: { value: "s3cret" },
};

const repository = join(import.meta.dirname, "../..");

let root: string;
let bundleFolder: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "scrim-runtime-"));
  // The package as it is installed, in a workspace of which the app is another.
  const scrim = join(root, "packages/scrim");
  await build({
    entryPoints: [join(import.meta.dirname, "index.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: join(scrim, "dist/runtime/index.js"),
  });
  const exports = { ".": { default: "./dist/runtime/index.js" } };
  const manifest = { name: "scrim", type: "module", sideEffects: false, exports };
  writeFileSync(join(scrim, "package.json"), JSON.stringify(manifest));
  mkdirSync(join(root, "app/node_modules"), { recursive: true });
  symlinkSync(scrim, join(root, "app/node_modules/scrim"));
  const source = `import { Resource } from "scrim";
    export const handler = (code) => new Function("Resource", "return " + code)(Resource);`;
  writeFileSync(join(root, "app/api.js"), source);
  const spec = testSpec("api.handler", { minify: true });
  const projectRoot = join(root, "app");
  const cacheFolder = join(projectRoot, ".scrim/cache");
  const made = await bundleFunctions({ projectRoot, cacheFolder, specs: [spec] });
  bundleFolder = join(root, "task");
  mkdirSync(bundleFolder);
  const files = unzipSync(readFileSync(made.get(spec)?.zipFile ?? ""));
  expect(Object.keys(files)).toEqual(["index.mjs"]);
  writeFileSync(join(bundleFolder, "index.mjs"), files["index.mjs"] ?? "");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Evaluates an expression with `Resource` inside the bundled function, in a process of its own. */
function inFunction(expression: string, env: Readonly<Record<string, string>>): string {
  const url = pathToFileURL(join(bundleFolder, "index.mjs")).href;
  const script = `import(${JSON.stringify(url)})
    .then(async m => JSON.stringify(await m.handler(${JSON.stringify(expression)})))
    .catch(e => "threw " + e.message).then(t => console.log(t))`;
  return execFileSync(process.execPath, ["-e", script], { env, encoding: "utf8" }).trim();
}

function sealedEnvironment(file = "links.enc"): Readonly<Record<string, string>> {
  const { file: bytes, key } = sealLinks(links);
  writeFileSync(join(bundleFolder, "links.enc"), bytes);
  return { SCRIM_RESOURCES_FILE: file, SCRIM_KEY: key };
}

test("a function reads its sealed links, at a path relative to its bundle or absolute", () => {
  const seen = "[Resource.App.stage, Resource.Uploads.name]";
  expect(inFunction(seen, sealedEnvironment())).toBe('["alice","shop-alice-uploads"]');
  const absolute = sealedEnvironment(join(bundleFolder, "links.enc"));
  expect(inFunction(seen, absolute)).toBe('["alice","shop-alice-uploads"]');
});

test("links in the environment come before sealed ones", () => {
  const env = { ...sealedEnvironment(), SCRIM_RESOURCE_Uploads: '{"name":"mine"}' };
  expect(inFunction("[Resource.Uploads, Resource.App.name]", env)).toBe('[{"name":"mine"},"shop"]');
});

test("a name that is not linked is told with the names that are", () => {
  expect(inFunction("Resource.Upload.name", sealedEnvironment())).toBe(
    'threw "Upload" is not linked to this function. Add it to the function\'s link: [...] in scrim.config.ts and deploy. Linked are: App, Uploads, __proto__x.',
  );
  expect(inFunction("Resource.toString()", sealedEnvironment())).toContain("is not linked");
});

test("code outside a function is told so, when it uses a link and no sooner", () => {
  expect(inFunction("1", {})).toBe("1");
  expect(inFunction("Resource.App.name", {})).toContain("Resource.App was read outside a function");
});

test("the object behaves under await, JSON, in, Object.keys and writes", () => {
  const env = sealedEnvironment();
  expect(inFunction("(async () => (await Resource).App.name)()", env)).toBe('"shop"');
  expect(inFunction("Resource", env)).toBe(JSON.stringify(links));
  expect(inFunction('["App" in Resource, "Nope" in Resource]', env)).toBe("[true,false]");
  expect(inFunction("Object.keys(Resource)", env)).toBe('["App","Uploads","__proto__x"]');
  expect(inFunction("Reflect.set(Resource, 'App', 1)", env)).toBe("false");
  expect(inFunction("Object.isFrozen(Resource.App)", env)).toBe("true");
});

test("printing the object shows no secret", () => {
  expect(
    inFunction("process.getBuiltinModule('util').inspect(Resource)", sealedEnvironment()),
  ).toBe('"{}"');
});

test("a changed file, a wrong key and a missing key are refused without showing anything", () => {
  const env = sealedEnvironment();
  const bytes = readFileSync(join(bundleFolder, "links.enc"));
  const refused =
    "threw The links of this function cannot be decrypted with its key. Deploy again.";
  for (const at of [0, 12, 28, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(join(bundleFolder, "links.enc"), changed);
    expect(inFunction("Resource.App", env)).toBe(refused);
  }
  writeFileSync(join(bundleFolder, "links.enc"), bytes.subarray(0, 20));
  expect(inFunction("Resource.App", env)).toBe(refused);
  expect(inFunction("Resource.App", { ...env, SCRIM_KEY: sealLinks({}).key })).toBe(refused);
  expect(inFunction("Resource.App", { ...env, SCRIM_KEY: "" })).toContain("SCRIM_KEY is not");
  const broken = { SCRIM_RESOURCE_App: '{"password":"hunter2' };
  expect(inFunction("Resource.App", broken)).toBe("threw SCRIM_RESOURCE_App does not hold JSON.");
});

test("the runtime costs less than 3 kB in a bundle, and nothing but the runtime is in it", () => {
  const code = readFileSync(join(bundleFolder, "index.mjs"), "utf8");
  expect(code.length).toBeLessThan(3000);
});

test("the type knows what a generated declaration adds, and nothing else", () => {
  const folder = join(root, "typed");
  mkdirSync(folder);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2022",
    types: ["node"],
    typeRoots: [join(repository, "node_modules/@types")],
    paths: { scrim: [join(import.meta.dirname, "index.ts")] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(
    join(folder, "scrim-env.d.ts"),
    `import "scrim"; declare module "scrim" { interface Resource { Uploads: { name: string } } }`,
  );
  writeFileSync(
    join(folder, "handler.ts"),
    `import { Resource } from "scrim";
     export const name: string = Resource.Uploads.name + Resource.App.stage;
     // @ts-expect-error
     Resource.Typo;`,
  );
  const tsc = join(repository, "node_modules/.bin/tsc");
  expect(execFileSync(tsc, ["-p", folder], { encoding: "utf8" })).toBe("");
});
