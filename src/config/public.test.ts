import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = mkdtempSync(join(tmpdir(), "scrim-types-"));
const project = join(folder, "project");

function tsc(cwd: string, ...args: readonly string[]): readonly string[] {
  const bin = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [bin, ...args], { cwd, encoding: "utf8" });
  return stdout.split("\n").filter((line) => line !== "");
}

beforeAll(() => {
  const types = ["-p", "tsconfig.build.json", "--outDir", join(folder, "scrim/types")];
  // Declarations are written even while a file elsewhere has an error; the project's own check reports those.
  tsc(root, ...types);
  const exports = { "./config": { types: "./types/config/public.d.ts" } };
  const pkg = { name: "scrim", version: "0.0.0", type: "module", exports };
  writeFileSync(join(folder, "scrim/package.json"), JSON.stringify(pkg));
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(join(folder, "scrim"), join(project, "node_modules/scrim"));
  cpSync(join(root, "examples/notes/tsconfig.json"), join(project, "tsconfig.json"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A config with this body of `run()`, which begins on line 8. */
function configOf(run: string, settings = 'name: "n", home: "local"'): string {
  return `/// <reference types="scrim/config" />
import type { FunctionArgs, Output } from "scrim/config";
export default $config({
  app(input) {
    return { ${settings}, removal: input.stage === "production" ? "retain" : "remove" };
  },
  async run() {
${run}
  },
  console: {
    autodeploy: {
      target(event) {
        if (event.type === "pull_request") return { stage: \`pr-\${event.number}\` };
      },
    },
  },
});
export type Unused = FunctionArgs | Output<string>;
`;
}

/** Everything that works, in the body of one `run()`. */
const GOOD = `
    const table: scrim.aws.Dynamo = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" }, primaryIndex: { hashKey: "id" }, stream: "new-image" });
    const bucket = new scrim.aws.Bucket("Uploads", { cors: { maxAge: "1 day" } });
    const token = new scrim.Secret("ApiToken", "none");
    const limits = new scrim.Linkable("Limits", { properties: { most: 10 },
      include: [scrim.aws.permission({ actions: ["ses:*"], resources: [bucket.arn] })] });
    const api = new scrim.aws.ApiGatewayV2("Api", { cors: true, link: [table] });
    api.route("GET /notes", { handler: "src/notes.list", link: [table, token, limits], timeout: "20 seconds" });
    api.route("GET /x", "src/x.handler", { auth: false });
    const auth: scrim.aws.Auth = new scrim.aws.Auth("Auth", { mode: "composed", authorizer: {
      handler: "src/auth.handler", link: [token], environment: { A1: api.url }, permissions: [] } });
    api.route("GET /me", { handler: "src/me.get", auth });
    api.route("GET /you", "src/me.get", { auth: new scrim.aws.Auth("Short", { authorizer: "src/auth.handler" }) });
    const work = new scrim.aws.Function("Work", { handler: "a.b", url: { cors: false }, memory: "1 GB",
      environment: { BUCKET: bucket.name, STAGE: $app.stage }, transform: { function: (args) => { args.x = 1; } } });
    const most: number = limits.properties.most;
    return { url: api.url, shout: $interpolate\`\${api.url}/x\`, size: work.url.apply((url) => url.length),
      json: $jsonStringify({ most, dev: $dev }), all: $resolve([api.url, bucket.name]).apply(([a, b]) => a + b) };`;

const API = 'new scrim.aws.ApiGatewayV2("A")';
const MISTAKES: readonly (readonly [where: string, run: string, line: number])[] = [
  ["an option of a component", 'new scrim.aws.Bucket("B", {\n versoning: true });', 9],
  ["a route's option", `${API}.route("GET /", { handler: "a.b",\n athu: 1 });`, 9],
  ["an auth that is no component", `${API}.route("GET /", { handler: "a.b",\n auth: "yes" });`, 9],
  ["a duration", 'new scrim.aws.Function("F", { handler: "a.b",\n\n timeout: "20 secs" });', 10],
  ["a component", '\nnew scrim.aws.Buckt("B");', 9],
  ["a link", 'new scrim.aws.Function("F", { handler: "a.b", link: ["B"] });', 8],
  ["an output used as text", '\nconst text: string = new scrim.aws.Bucket("B").name;', 9],
  ["a variable", '\nnew scrim.aws.Function("F", { handler: "a.b", environment: { A: 1 } });', 9],
];

/** Compiles config files of these names; gives what the compiler says, by name. */
function check(configs: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  for (const [name, text] of Object.entries(configs)) writeFileSync(join(project, name), text);
  const compilerOptions = { types: [], skipLibCheck: false };
  const files = Object.keys(configs);
  const tsconfig = { extends: "./tsconfig.json", compilerOptions, files };
  writeFileSync(join(project, "tsconfig.check.json"), JSON.stringify(tsconfig));
  const lines = tsc(project, "-p", "tsconfig.check.json", "--pretty", "false");
  return new Map(
    files.map((name) => [name, lines.filter((line) => line.startsWith(`${name}(`))]),
  ).set(
    "elsewhere",
    lines.filter((line) => !files.some((name) => line.startsWith(name))),
  );
}

describe("the types of scrim/config", () => {
  it("accept a config that uses everything, and one that returns nothing", () => {
    const nothing = configOf('    new scrim.aws.Bucket("B");');
    const found = check({ "good.ts": configOf(GOOD), "nothing.ts": nothing });
    expect([...found.values()].flat()).toEqual([]);
  });

  it("refuse every mistake at its line", () => {
    const names = MISTAKES.map((_, index) => `mistake-${index}.ts`);
    const texts = MISTAKES.map(([, run]) => configOf(run));
    const found = check({
      ...Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""])),
      "home.ts": configOf("", 'name: "n", home: "gcp"'),
    });
    for (const [index, [where, , line]] of MISTAKES.entries()) {
      const [first] = found.get(`mistake-${index}.ts`) ?? [];
      expect(first, where).toMatch(new RegExp(`\\(${line},\\d+\\): error TS`));
    }
    expect(found.get("home.ts")?.[0]).toMatch(/\([45],\d+\): error TS/);
    expect(found.get("elsewhere")?.filter((line) => !line.startsWith(" "))).toEqual([]);
  });
});
