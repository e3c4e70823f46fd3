import { expect, it } from "vitest";
import { appConfig, makeProject } from "../../support/project.ts";
import { type RefusedRow, refuses } from "../../support/refused-rows.ts";

const config = (text: string) => ({ "scrim.config.ts": text });

const app = (what: string, members: string, ...says: readonly string[]): RefusedRow => ({
  what,
  files: config(appConfig({ app: members })),
  says: [...says, "scrim.config.ts:4"],
});

const run = (what: string, body: string, ...says: readonly string[]): RefusedRow => ({
  what,
  run: body,
  says,
});

refuses("what app() returns", [
  app("a removal in the wrong case", 'removal: "Retain"', 'Did you mean "retain"?'),
  app("an empty removal", 'removal: ""', '"remove" or "retain" or "retain-all"'),
  app("a removal that is a number", "removal: 1", "is the number 1"),
  app("a protect that is text, which must not count as false", 'protect: "true"', "true or false"),
  app("an empty name", 'name: ""', "Option `name` of app()"),
  app("a name with a space", 'name: "My App!"', "letters, digits and hyphens"),
  app("a name of 200 characters", `name: "${"x".repeat(200)}"`, "at most 40 characters"),
  app("a name that is a number", "name: 7", "is the number 7"),
  app("a home that does not exist", 'home: "gcp"', '"local", "aws", or "s3://"'),
  app("a home that is not defined", "home: undefined", "Option `home` of app() is missing"),
  app("a misspelled option", "protct: true", "Unknown option `protct`", "Did you mean `protect`?"),
  {
    what: "nothing",
    files: config("export default $config({\n  app() {},\n  async run() {},\n});\n"),
    says: ["app() returns nothing", "scrim.config.ts:2"],
  },
]);

refuses("a config", [
  {
    what: "one that is missing",
    prepare: ({ write }) => write("elsewhere/file", ""),
    args: ["deploy", "--stage", "dev", "--config", "elsewhere/scrim.config.ts"],
    says: ["There is no config file at"],
  },
  { what: "one that is empty", files: config(""), says: ["no default export"] },
  {
    what: "one that is no TypeScript",
    files: config("{{{ not typescript"),
    says: ["Expected", "scrim.config.ts:1:"],
  },
  {
    what: "one without a default export",
    files: config("export const app = 1;\n"),
    says: ["The config has no default export made by $config()"],
  },
  {
    what: "one whose top level throws",
    files: config('const x = 1;\nthrow new Error("at the top");\n'),
    says: ["The config threw at the top", "scrim.config.ts:2:7"],
  },
  {
    what: "one whose app() throws",
    files: config('export default $config({\n  app() {\n    throw new Error("boom");\n  },\n});\n'),
    says: ["no function run()"],
  },
  {
    what: "one whose app() rejects",
    files: config(`export default $config({
  async app() {
    await null;
    throw new Error("boom");
  },
  async run() {},
});
`),
    says: ["app() threw boom", "scrim.config.ts:4:11"],
  },
  {
    what: "one that imports a package that is not installed",
    files: config(`import "not-installed";\n${appConfig()}`),
    says: ["not-installed"],
  },
  run("one that ends the process", "process.exit(0);", "ended before it was complete"),
  run("one that waits for ever", "await new Promise(() => {});", "ended before it was complete"),
  {
    ...run("one that loops for ever", "for (;;);", "run() did not finish within 1 s"),
    env: { SCRIM_CONFIG_TIMEOUT: "1" },
  },
  run(
    "one with a rejection that nobody handles",
    'void Promise.reject(new Error("lost"));\n    await new Promise((done) => setTimeout(done, 50));',
    "run() threw lost",
    "scrim.config.ts:7:",
  ),
  run("one that throws no error", 'throw "text";', "run() threw text"),
]);

refuses("components", [
  run(
    "two of one name",
    'new scrim.aws.Bucket("Files");\n    new scrim.aws.Bucket("Files");',
    'Two components are named "Files"',
    "scrim.config.ts:8:",
    ":7)",
  ),
  run(
    "two names that differ only in case",
    'new scrim.aws.Bucket("Files");\n    new scrim.aws.Bucket("files");',
    'Two components are named alike: scrim.aws.Bucket "Files" and scrim.aws.Bucket "files"',
  ),
  run(
    "a circle of resources",
    `const users = new scrim.aws.CognitoUserPool("Users");
    const f = new scrim.aws.Function("F", { handler: "src/hello.get", url: true, link: [users] });
    users.addClient("Web", { callbackUrls: [f.url] });`,
    "Resources depend on each other: ",
    "Break the circle between",
  ),
  run("one that does not exist", 'new scrim.aws.Buket("A");', "There is no scrim.aws.Buket"),
  run("one with a name that is none", 'new scrim.aws.Bucket("a b");', "is not a name"),
  run(
    "a misspelled option",
    'new scrim.aws.Function("F", { handler: "src/hello.get", environmnt: {} });',
    "Unknown option `environmnt`",
    "Did you mean `environment`?",
  ),
  run(
    "a misspelled option deep inside",
    'new scrim.aws.Function("F", { handler: "src/hello.get", url: { cros: true } });',
    "Unknown option `url.cros`",
    "Did you mean `cors`?",
  ),
  {
    what: "one created outside of run()",
    files: config(`new scrim.aws.Bucket("Early");\n${appConfig()}`),
    says: ["scrim.aws.Bucket is created outside of run()", "scrim.config.ts:1:"],
  },
]);

it("a problem is a document under --json, with its code and its place", async () => {
  const project = makeProject({ "scrim.config.ts": appConfig({ app: "protct: true" }) });
  const { exit, stdout, stderr } = await project.scrim(["deploy", "--stage", "dev", "--json"]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({
    version: 1,
    error: {
      severity: "error",
      code: "OPTION_UNKNOWN",
      message: "Unknown option `protct` of app()",
      hint: "Did you mean `protect`?",
      source: { file: `${project.folder}/scrim.config.ts`, line: 4 },
      exit: 2,
    },
  });
  await project.dispose();
});

it("what a config prints goes to standard error and garbles no document", async () => {
  const project = makeProject({
    "scrim.config.ts": appConfig({ run: 'console.log("noise"); return { a: 1 };' }),
  });
  const { exit, stdout, stderr } = await project.scrim(["diff", "--stage", "dev", "--json"]);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
  expect(stderr).toContain("noise");
  await project.dispose();
});

it("a removal that is not set is retain, and says so", async () => {
  const project = makeProject({
    "scrim.config.ts": `export default $config({
  app: () => ({ name: "hello", home: "local" }),
  async run() {},
});
`,
  });
  const { exit, stderr } = await project.scrim(["diff", "--stage", "dev"]);
  expect(exit).toBe(0);
  expect(stderr).toContain('app() sets no `removal`; "retain" is used');
  await project.dispose();
});
