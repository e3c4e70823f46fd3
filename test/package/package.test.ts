import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endServer } from "../support/cli.ts";
import { packageFolder } from "../support/project.ts";
import { available } from "../support/require.ts";
import { root } from "../support/root.ts";
import { sizeOf } from "../support/tree-digest.ts";

const MB = 1024 * 1024;

/** What `npm pack` tells of a tarball. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const folder = mkdtempSync(join(tmpdir(), "scrim-package-"));
const project = join(folder, "project");
const environment = {
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  SCRIM_HOME: join(folder, "home"),
  SCRIM_KEY_DIR: join(folder, "keys"),
};

function run(program: string, args: readonly string[], cwd: string): Run {
  return spawnSync(program, args, { cwd, env: environment, encoding: "utf8", timeout: 180_000 });
}

const inRepository = (tool: string): string => join(root, "node_modules/.bin", tool);
let packed: Packed;
let tarball: string;

beforeAll(() => {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const out = execFileSync("npm", args, {
    cwd: packageFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [first] = JSON.parse(out) as Packed[];
  if (first === undefined) throw new Error("npm packed nothing");
  packed = first;
  tarball = join(folder, packed.filename);
});
afterAll(async () => {
  await endServer(environment.SCRIM_HOME);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("the package", () => {
  it("holds what is built and what is read, and nothing else", () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of ["README.md", "CHANGELOG.md", "LICENSE", "dist/cli/main.js"]) {
      expect(paths).toContain(path);
    }
    const texts = new Set(["package.json", "README.md", "CHANGELOG.md", "LICENSE"]);
    expect(paths.filter((path) => !texts.has(path) && !path.startsWith("dist/"))).toEqual([]);
    expect(
      paths.filter((path) => /\.test\.|fixture|testing|\.map$|\.tsx?$(?<!\.d\.ts)/.test(path)),
    ).toEqual([]);
  });

  it("has exports that publint and attw find nothing wrong with", () => {
    const linted = run(inRepository("publint"), ["run", tarball, "--strict"], root);
    expect(linted.status, linted.stdout + linted.stderr).toBe(0);
    const args = [tarball, "--profile", "esm-only", "--no-definitely-typed", "--no-emoji"];
    const typed = run(inRepository("attw"), args, root);
    expect(typed.status, typed.stdout + typed.stderr).toBe(0);
  });
});

describe("the package, installed", () => {
  let isInstalled = false;
  beforeAll(() => {
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const installed = run("npm", ["install", "--prefer-offline", ...quiet, tarball], project);
    const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(
      installed.stderr,
    );
    expect(installed.status === 0 || isOffline, installed.stderr).toBe(true);
    isInstalled = available("the package registry", installed.status === 0);
  });

  it("has at most 100 packages and 110 MB", (context) => {
    context.skip(!isInstalled);
    const lock = readFileSync(join(project, "node_modules/.package-lock.json"), "utf8");
    const packages = Object.keys((JSON.parse(lock) as { packages: object }).packages);
    expect(packages.length).toBeGreaterThan(5);
    expect(packages.length).toBeLessThanOrEqual(100);
    const bytes = sizeOf(join(project, "node_modules"));
    expect(bytes).toBeGreaterThan(5 * MB);
    expect(bytes).toBeLessThanOrEqual(110 * MB);
  });

  it("tells its version", (context) => {
    context.skip(!isInstalled);
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
    expect(run("npx", ["--no", "--", "scrim", "--version"], project)).toMatchObject({
      status: 0,
      stdout: `${version}\n`,
    });
  });

  /** What a handler becomes that is bundled in the project. */
  async function bundled(contents: string) {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      absWorkingDir: project,
    });
    const [output] = Object.values(metafile.outputs);
    return {
      bytes: outputFiles[0]?.contents ?? new Uint8Array(),
      inputs: Object.keys(metafile.inputs).filter((input) => input !== "<stdin>"),
      imports: (output?.imports ?? []).map(({ path }) => path.replace(/^node:/, "")),
    };
  }

  it("adds less than 3 kB to a handler that uses Resource", async (context) => {
    context.skip(!isInstalled);
    const { bytes, inputs } = await bundled(
      'import { Resource } from "scrim";\nexport const get = () => Resource.App;\n',
    );
    expect(bytes.length).toBeLessThan(3000);
    expect(inputs).toContain("node_modules/scrim/dist/runtime/index.js");
    expect(inputs.filter((input) => !/scrim\/dist\/(runtime|chunks)\//.test(input))).toEqual([]);
  });

  it.each([
    ["scrim/auth/adapter", "dist/auth/adapter/index.js"],
    ["scrim/auth", "dist/auth/index.js"],
  ])("brings nothing but its own files and Node.js with %s", async (name, file) => {
    if (!isInstalled) return;
    const { inputs, imports } = await bundled(`export * from "${name}";\n`);
    expect(inputs).toContain(`node_modules/scrim/${file}`);
    const own = /^node_modules\/scrim\/dist\/(auth|chunks)\//;
    expect(inputs.filter((input) => !own.test(input))).toEqual([]);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((each) => !builtinModules.includes(each))).toEqual([]);
  });

  it("adds at most 8 kB, gzipped, to a handler that uses an adapter", async (context) => {
    context.skip(!isInstalled);
    const { bytes } = await bundled('export { AuthAdapter } from "scrim/auth/adapter";\n');
    expect(bytes.length).toBeGreaterThan(1000);
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(8 * 1024);
  });

  it("makes a project that type-checks, deploys and answers", async (context) => {
    context.skip(!isInstalled);
    expect(run("npx", ["--no", "--", "scrim", "init", "packed", "--yes"], project)).toMatchObject({
      status: 0,
    });
    const checked = run(inRepository("tsc"), ["--noEmit", "-p", "."], project);
    expect(checked.status, checked.stdout).toBe(0);
    expect(await deployedAnswer(process.execPath, "dev")).toBe(200);
    const again = run(inRepository("tsc"), ["--noEmit", "-p", "."], project);
    expect(again.status, again.stdout).toBe(0);
  });

  it("has types that refuse a mistyped option and a misspelled resource at their lines", (context) => {
    context.skip(!isInstalled);
    const config = readFileSync(join(project, "scrim.config.ts"), "utf8");
    const call = `api.route("GET /", "src/hello.get");`;
    expect(config).toContain(call);
    const wrong = `api.route("GET /", { handler: "src/hello.get",\n      tiemout: "1 second" });`;
    const typo = `import { Resource } from "scrim";\n\nexport const typo = Resource.Typo;\n`;
    const line = config.slice(0, config.indexOf(call)).split("\n").length + 1;
    try {
      writeFileSync(join(project, "scrim.config.ts"), config.replace(call, wrong));
      writeFileSync(join(project, "src/typo.ts"), typo);
      const checked = run(inRepository("tsc"), ["--noEmit", "-p", "."], project);
      const places = [...checked.stdout.matchAll(/^(\S+)\((\d+),\d+\): error/gm)];
      expect(places.map(([, file, at]) => `${file}:${at}`).sort()).toEqual([
        `scrim.config.ts:${line}`,
        "src/typo.ts:3",
      ]);
      expect(checked.stdout).toContain("tiemout");
      expect(checked.stdout).toContain("Typo");
    } finally {
      writeFileSync(join(project, "scrim.config.ts"), config);
      rmSync(join(project, "src/typo.ts"));
    }
  });

  const binaryOf = (major: number): string => {
    const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
    return join(root, `.cache/node-${major}/node_modules/node-${platform}/bin/node`);
  };

  it.each([22, 24])("runs on Node %i, with a server of its own", async (major) => {
    const binary = binaryOf(major);
    if (!isInstalled || !available(`Node ${major}`, existsSync(binary))) return;
    await endServer(environment.SCRIM_HOME);
    expect(run(binary, ["--version"], project).stdout).toMatch(new RegExp(`^v${major}\\.`));
    expect(await deployedAnswer(binary, `node${major}`)).toBe(200);
  });

  /** Deploys the project that `init` made and asks for its URL. */
  async function deployedAnswer(node: string, stage: string): Promise<number> {
    const main = join(project, "node_modules/scrim/dist/cli/main.js");
    if (!existsSync(join(project, "scrim.config.ts"))) {
      run(node, [main, "init", "packed", "--yes"], project);
    }
    const deployed = run(node, [main, "deploy", "--stage", stage], project);
    expect(deployed.status, deployed.stdout + deployed.stderr).toBe(0);
    expect(deployed.stderr).toBe("");
    const outputs = readFileSync(join(project, ".scrim/outputs.json"), "utf8");
    return (await fetch((JSON.parse(outputs) as { url: string }).url)).status;
  }
});
