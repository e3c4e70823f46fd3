import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configWith, evaluate, load, loadFrom, problemOf, projectWith } from "./project.fixture.ts";

const EXAMPLE = `/// <reference types="scrim/config" />
export default $config({
  app(input) {
    return {
      name: "notes",
      home: "local",
      removal: input.stage === "production" ? "retain" : "remove",
      protect: input.stage === "production",
    };
  },
  async run() {
    const table = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id" },
    });
    const token = new scrim.Secret("ApiToken");
    const api = new scrim.aws.ApiGatewayV2("Api", { cors: true });
    api.route("GET /notes", { handler: "src/notes.list", link: [table, token] });
    api.route("GET /x", "src/x.handler");
    return { url: api.url, shout: $interpolate\`\${api.url}/x\`, stage: $app.stage };
  },
});
`;

describe("loading a config", () => {
  it("gives the app's settings first and its components when asked", async () => {
    const loaded = await load(EXAMPLE);
    expect(loaded.app).toMatchObject({ name: "notes", home: "local", removal: "remove" });
    expect(loaded.warnings).toEqual([]);
    const app = await loaded.evaluate();
    expect(app.name).toBe("notes");
    expect(app.nodes.map((node) => [node.kind, node.name])).toEqual([
      ["Dynamo", "Notes"],
      ["Secret", "ApiToken"],
      ["ApiGatewayV2", "Api"],
    ]);
    expect(app.outputs).toMatchObject({ url: { component: "Api", output: "url" }, stage: "alice" });
  });

  it("tells the place of every component and route in the user's source", async () => {
    const app = await (await load(EXAMPLE)).evaluate();
    expect(app.nodes.map((node) => node.source?.line)).toEqual([12, 16, 17]);
    const api = app.nodes.find((node) => node.kind === "ApiGatewayV2");
    expect(api?.routes.map((route) => route.source?.line)).toEqual([18, 19]);
    expect(api?.routes[0]?.function.source).toMatchObject({ line: 18, column: 9 });
    expect(api?.source?.file).toMatch(/scrim\.config\.ts$/);
  });

  it("bundles the project's own files, and keeps import.meta and __dirname theirs", async () => {
    const folder = projectWith({
      "scrim.config.ts": configWith(
        "return { name, here, dir: import.meta.dirname };",
        'import { here, name } from "./infra/names.ts";',
      ),
      "infra/names.ts":
        'export const name: string = "n";\nexport const here = __dirname + "|" + new URL(".", import.meta.url).pathname;\n',
    });
    const loaded = await loadFrom(folder);
    const { outputs } = await loaded.evaluate();
    const infra = join(folder, "infra");
    expect(outputs["dir"]).toBe(folder);
    expect(decodeURIComponent(String(outputs["here"]))).toBe(
      `${decodeURIComponent(infra)}|${decodeURIComponent(`${infra}/`)}`,
    );
    expect(loaded.inputs).toContain(join(infra, "names.ts"));
  });

  it("leaves installed packages to Node and bundles packages of the workspace", async () => {
    const folder = projectWith({
      "scrim.config.ts": configWith(
        "return { a, b };",
        'import a from "a"; import { b } from "@/b";',
      ),
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }',
      "lib/b.ts": "export const b: number = 2;",
      "node_modules/a/package.json": '{ "name": "a", "type": "module", "main": "a.js" }',
      "node_modules/a/a.js": "export default import.meta.url;",
    });
    const loaded = await loadFrom(folder);
    const { outputs } = await loaded.evaluate();
    expect(outputs).toMatchObject({ a: expect.stringContaining("node_modules/a/a.js"), b: 2 });
    expect(loaded.inputs.some((file) => file.includes("node_modules"))).toBe(false);
  });

  it("reuses the bundle until the content of a source changes", async () => {
    const folder = projectWith({ "scrim.config.ts": configWith("return { n: 1 };") });
    const cache = join(folder, ".scrim/cache/config");
    const bundles = () => readdirSync(cache).filter((name) => name.endsWith(".mjs"));
    await loadFrom(folder);
    const [first = ""] = bundles();
    const { mtimeMs } = statSync(join(cache, first));
    const again = await (await loadFrom(folder)).evaluate();
    expect(again.outputs).toEqual({ n: 1 });
    expect(statSync(join(cache, first)).mtimeMs).toBe(mtimeMs);
    writeFileSync(join(folder, "scrim.config.ts"), configWith("return { n: 2 };"));
    const changed = await (await loadFrom(folder)).evaluate();
    expect(changed.outputs).toEqual({ n: 2 });
    expect(bundles()).toHaveLength(2);
  });

  it("survives a cache that something tore", async () => {
    const folder = projectWith({ "scrim.config.ts": configWith("return { n: 1 };") });
    const cache = join(folder, ".scrim/cache/config");
    mkdirSync(cache, { recursive: true });
    await loadFrom(folder);
    for (const name of readdirSync(cache).filter((file) => file.endsWith(".json"))) {
      writeFileSync(join(cache, name), '{"format":1,"inp');
    }
    expect((await (await loadFrom(folder)).evaluate()).outputs).toEqual({ n: 1 });
  });

  it("evaluates the top level anew on every load, with that load's environment", async () => {
    const folder = projectWith({
      "scrim.config.ts": configWith(
        "return { at, now: process.env.NOTES_HUE };",
        "const at = process.env.NOTES_HUE;",
      ),
    });
    const red = await loadFrom(folder, { NOTES_HUE: "red" });
    const none = await loadFrom(folder, {});
    expect((await red.evaluate()).outputs).toEqual({ at: "red", now: "red" });
    expect((await none.evaluate()).outputs).toEqual({});
  });

  it("lets app() be async and reads $app in run()", async () => {
    const loaded = await load(`export default $config({
      app: async () => ({ name: "n", home: "s3://state", protect: true }),
      run: () => ({ all: [$app.name, $app.stage, $app.removal, $app.protect, $dev] }),
    });`);
    expect(loaded.app.home).toBe("s3://state");
    expect(loaded.warnings.map((warning) => warning.code)).toEqual(["APP_REMOVAL_DEFAULTED"]);
    const { outputs } = await loaded.evaluate();
    expect(outputs).toEqual({ all: ["n", "alice", "retain", true, false] });
  });

  it("runs run() again for each evaluation", async () => {
    const loaded = await load(configWith('new scrim.aws.Bucket("Uploads");'));
    expect((await loaded.evaluate()).nodes).toHaveLength(1);
    expect((await loaded.evaluate()).nodes).toHaveLength(1);
  });

  it("returns console.autodeploy", async () => {
    const loaded = await load(`export default $config({
      app: () => ({ name: "n", home: "local", removal: "remove" }),
      async run() {},
      console: { autodeploy: { target: (event) => ({ stage: "pr-" + event.number }) } },
    });`);
    const target = loaded.console.autodeploy.target;
    expect(target?.({ type: "pull_request", number: 7 } as never)).toEqual({ stage: "pr-7" });
  });
});

describe("a broken config", () => {
  const app = 'app: () => ({ name: "n", home: "local", removal: "remove" })';
  it.each([
    ["an empty file", "", "CONFIG_EXPORT_INVALID", 1],
    ["no default export", "export const a = 1;", "CONFIG_EXPORT_INVALID", 1],
    ["a default export that is no object", "export default 5;", "CONFIG_EXPORT_INVALID", 1],
    ["a syntax error", "\nexport default $config({ app( });", "CONFIG_SYNTAX", 2],
    ["a missing import", '\n\nimport a from "./nowhere";\nexport default a;', "CONFIG_SYNTAX", 3],
    ["a missing package", '\nimport a from "nowhere";\nexport default a;', "CONFIG_SYNTAX", 2],
    ["no app()", "\nexport default $config({ async run() {} });", "CONFIG_EXPORT_INVALID", 1],
    ["no run()", `\nexport default $config({ ${app} });`, "CONFIG_EXPORT_INVALID", 1],
    ["an unknown member", `export default $config({ ${app},\n rnu() {} });`, "OPTION_UNKNOWN", 2],
    ["a top level that throws", '\n\nthrow new Error("no");', "CONFIG_THREW", 3],
    [
      "an app() that throws",
      'export default $config({\n  app() {\n    throw new Error("no");\n  }, run() {} });',
      "CONFIG_THREW",
      3,
    ],
    [
      "an app() that rejects",
      'export default $config({\n  async app() {\n    await null;\n    throw new TypeError("no");\n  }, run() {} });',
      "CONFIG_THREW",
      4,
    ],
    [
      "an app() that returns nothing",
      "\nexport default $config({\n app() {}, run() {} });",
      "OPTION_MISSING",
      3,
    ],
    ["a component at the top level", '\nnew scrim.aws.Bucket("B");', "COMPONENT_OUTSIDE_RUN", 2],
    ["$app.name at the top level", "\nconsole.error($app.name);", "APP_NOT_KNOWN", undefined],
  ])("%s is a problem with its line", async (_, config, code, line) => {
    const problem = await problemOf(load(config));
    expect(problem).toMatchObject({ code, line, exit: 2 });
  });

  it("reports every syntax error, not only the first", async () => {
    const work = load("import './a';\nimport './b';");
    await expect(work).rejects.toMatchObject({ diagnostics: { length: 2 } });
  });

  it("places an error that run() throws", async () => {
    const problem = await problemOf(evaluate("  const a = null;\n  return { a: a.b };"));
    expect(problem).toMatchObject({ code: "CONFIG_THREW", line: 5 });
    expect(problem.message).toMatch(/^run\(\) threw TypeError: Cannot read/);
  });

  it("hints at the namespace when an app of another tool is tried", async () => {
    const problem = await problemOf(evaluate('new sst.aws.Bucket("B");'));
    expect(problem).toMatchObject({ line: 4, hint: "The namespace is called `scrim` here." });
  });
});
