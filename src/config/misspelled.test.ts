import { describe, expect, it } from "vitest";
import { configWith, load, problemOf, problemsOf } from "./project.fixture.ts";

const KEYS =
  'fields: { id: "string", at: "number" }, primaryIndex: { hashKey: "id", rangeKey: "at" }';

/** What stands on lines 4 to 8 of the config, the misspelled key on line 6. */
function runWith(before: string, wrong: string, after: string): string {
  return ["{", before, wrong, after, "}"].join("\n");
}

interface Case {
  readonly where: string;
  readonly before: string;
  readonly wrong: string;
  readonly after: string;
  readonly path: string;
  readonly meant: string;
}

function inCall(where: string, call: string, wrong: string, path: string, meant: string): Case {
  const [before = "", after = ""] = call.split("|");
  return { where, before, wrong, after, path, meant };
}

const fn = (inner: string) => `new scrim.aws.Function("F", { handler: "a.b",${inner} });`;
const api = 'const api = new scrim.aws.ApiGatewayV2("Api"); ';

const CASES: readonly Case[] = [
  inCall("Function", fn("|"), 'timeot: "1 minute"', "timeot", "timeout"),
  inCall("url", fn(" url: {| }"), "crs: true", "url.crs", "cors"),
  inCall(
    "cors of a url",
    fn(" url: { cors: {| } }"),
    'alowOrigins: ["*"]',
    "url.cors.alowOrigins",
    "allowOrigins",
  ),
  inCall("nodejs", fn(" nodejs: {| }"), "minfy: true", "nodejs.minfy", "minify"),
  inCall(
    "esbuild",
    fn(" nodejs: { esbuild: {| } }"),
    "externl: []",
    "nodejs.esbuild.externl",
    "external",
  ),
  inCall("concurrency", fn(" concurrency: {| }"), "resrved: 1", "concurrency.resrved", "reserved"),
  inCall(
    "permissions",
    fn(" permissions: [{ actions: [], resources: [],| }]"),
    'efect: "deny"',
    "permissions[0].efect",
    "effect",
  ),
  inCall("copyFiles", fn(' copyFiles: [{ from: "a",| }]'), 'too: "b"', "copyFiles[0].too", "to"),
  inCall("transform", fn(" transform: {| }"), "fnction: {}", "transform.fnction", "function"),
  inCall("ApiGatewayV2", 'new scrim.aws.ApiGatewayV2("Api", {| });', "cros: true", "cros", "cors"),
  inCall(
    "cors of an API",
    'new scrim.aws.ApiGatewayV2("Api", { cors: {| } });',
    'maxage: "1 day"',
    "cors.maxage",
    "maxAge",
  ),
  inCall(
    "a route",
    `${api}api.route("GET /x", { handler: "a.b",| });`,
    "athu: false",
    "athu",
    "auth",
  ),
  inCall(
    "a route's function",
    `${api}api.route("GET /x", { handler: "a.b",| });`,
    'memroy: "1 GB"',
    "memroy",
    "memory",
  ),
  inCall(
    "Auth",
    'new scrim.aws.Auth("A", { authorizer: "a.b",| });',
    'mod: "composed"',
    "mod",
    "mode",
  ),
  inCall(
    "an authorizer",
    'new scrim.aws.Auth("A", { authorizer: { handler: "a.b",| } });',
    "lnik: []",
    "authorizer.lnik",
    "link",
  ),
  inCall(
    "options behind a handler",
    `${api}api.route("GET /x", "a.b", {| });`,
    "ath: false",
    "ath",
    "auth",
  ),
  inCall(
    "Bucket",
    'new scrim.aws.Bucket("B", {| });',
    "versoning: true",
    "versoning",
    "versioning",
  ),
  inCall(
    "cors of a bucket",
    'new scrim.aws.Bucket("B", { cors: {| } });',
    "allowMethod: []",
    "cors.allowMethod",
    "allowMethods",
  ),
  inCall("Dynamo", `new scrim.aws.Dynamo("T", { ${KEYS},| });`, 'tlt: "x"', "tlt", "ttl"),
  inCall(
    "primaryIndex",
    'new scrim.aws.Dynamo("T", { fields: { id: "string" }, primaryIndex: { hashKey: "id",| } });',
    'rangekey: "x"',
    "primaryIndex.rangekey",
    "rangeKey",
  ),
  inCall(
    "globalIndexes",
    `new scrim.aws.Dynamo("T", { ${KEYS}, globalIndexes: { byAt: { hashKey: "at",| } } });`,
    "projecton: []",
    "globalIndexes.byAt.projecton",
    "projection",
  ),
  inCall(
    "localIndexes",
    `new scrim.aws.Dynamo("T", { ${KEYS}, localIndexes: { byAt: { rangeKey: "at",| } } });`,
    "hashKye: 1",
    "localIndexes.byAt.hashKye",
    "rangeKey",
  ),
  inCall("Secret", 'new scrim.Secret("S", {| });', 'placeholdr: "x"', "placeholdr", "placeholder"),
  inCall(
    "Linkable",
    'new scrim.Linkable("L", { properties: {},| });',
    "inclde: []",
    "inclde",
    "include",
  ),
  inCall(
    "permission()",
    "scrim.aws.permission({ actions: [], resources: [],| });",
    'efect: "deny"',
    "efect",
    "effect",
  ),
];

describe("a misspelled option", () => {
  it.each(CASES)("of $where is refused at its line, with what was meant", async (test) => {
    const loaded = await load(configWith(runWith(test.before, test.wrong, test.after)));
    const problem = await problemOf(loaded.evaluate());
    expect(problem).toMatchObject({ code: "OPTION_UNKNOWN", exit: 2, line: 6 });
    expect(problem.message).toContain(`Unknown option \`${test.path}\` of `);
    if (test.path !== "localIndexes.byAt.hashKye") {
      expect(problem.hint).toBe(`Did you mean \`${test.meant}\`?`);
    }
  });

  const settings: readonly (readonly [string, string, string, string])[] = [
    ["protct: true", "", "protct", "protect"],
    ['removel: "retain"', "", "removel", "removal"],
    ["provider: {}", "", "provider", "providers"],
    ["asw: {}", "providers: { | }", "providers.asw", "aws"],
    ['regon: "x"', "providers: { aws: { | } }", "providers.aws.regon", "region"],
    ["path: []", "watch: { | }", "watch.path", "paths"],
  ];
  it.each(settings)("of app(), %s, is refused at its line", async (wrong, around, path, meant) => {
    const [before = "", after = ""] = around.split("|");
    const problem = await problemOf(
      load(`export default $config({
        run() {},
        app: () => ({ name: "n", home: "local", removal: "remove",
          ${before}
          ${wrong}
          ${after} }),
      });`),
    );
    expect(problem).toMatchObject({
      code: "OPTION_UNKNOWN",
      exit: 2,
      line: 5,
      message: `Unknown option \`${path}\` of app()`,
      hint: `Did you mean \`${meant}\`?`,
    });
  });

  it("of console is refused", async () => {
    const problem = await problemOf(
      load(`export default $config({
        app: () => ({ name: "n", home: "local", removal: "remove" }), run() {},
        console: { autodeploy: { targt() {} } } });`),
    );
    expect(problem).toMatchObject({ hint: "Did you mean `target`?", line: 3 });
  });

  it("does not hide the others: all are reported", async () => {
    const loaded = await load(
      configWith(fn(' timeot: "1 minute", memory: "5 MB", url: { cros: 1 }')),
    );
    const problems = await problemsOf(loaded.evaluate());
    expect(problems.map((problem) => problem.message)).toEqual([
      'Unknown option `timeot` of scrim.aws.Function "F"',
      'Option `memory` of scrim.aws.Function "F" is "5 MB"',
      'Unknown option `url.cros` of scrim.aws.Function "F"',
    ]);
  });

  it("that another call has too is not looked for there", async () => {
    const shared = 'const shared = { handler: "a.b", timeout: "1 s" };';
    const body = `${shared}\nnew scrim.aws.Function("F", shared);\n${fn('\n timeout: "1 minute"')}`;
    const loaded = await load(configWith(body));
    expect(await problemOf(loaded.evaluate())).toMatchObject({ code: "OPTION_INVALID", line: 5 });
  });

  it("that other tools have is said to be not available yet", async () => {
    const loaded = await load(configWith(fn(" vpc: {}")));
    expect(await problemOf(loaded.evaluate())).toMatchObject({ code: "OPTION_NOT_AVAILABLE" });
  });
});

describe("the settings that app() returns", () => {
  const good = '{ name: "n", home: "local", removal: "remove" }';
  it.each([
    ["name", '""'],
    ["name", '"My App!"'],
    ["name", '"a".repeat(41)'],
    ["name", "5"],
    ["name", "undefined"],
    ["home", '"gcp"'],
    ["home", "undefined"],
    ["home", '"s3://"'],
    ["removal", '"Retain"'],
    ["removal", '""'],
    ["removal", "1"],
    ["protect", '"true"'],
    ["protect", "1"],
    ["providers", '{ aws: "6.0" }'],
    ["providers", "{ aws: { allowedAccountIds: [123456789012] } }"],
    ["providers", '{ aws: { region: "Frankfurt" } }'],
  ])("refuse %s: %s", async (key, value) => {
    const problem = await problemOf(
      load(
        `export default $config({ run() {},\n app: () => ({ ...${good},\n ${key}: ${value} }) });`,
      ),
    );
    expect(problem).toMatchObject({ exit: 2, line: expect.any(Number) });
    expect(problem.code).toMatch(/^OPTION_(INVALID|MISSING)$/);
    expect(problem.message).toContain(`\`${key}`);
  });
});
