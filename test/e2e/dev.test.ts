import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliProcess } from "../support/cli.ts";
import { eventually } from "../support/processes.ts";
import { HELLO, makeProject, type Project } from "../support/project.ts";
import { recordedStage } from "../support/reality.ts";

const CONFIG = HELLO["scrim.config.ts"] ?? "";

/** The config with other settings or routes. */
function config(changes: { readonly app?: string; readonly routes?: string }): string {
  return CONFIG.replace('removal: "remove"', `removal: "remove"${changes.app ?? ""}`).replace(
    'api.route("GET /", "src/hello.get");',
    `api.route("GET /", "src/hello.get");\n${changes.routes ?? ""}`,
  );
}

function handler(body: string): string {
  return `export async function get() { return { statusCode: 200, body: ${body} }; }\n`;
}

function outputs(project: Project): { readonly url: string } {
  return JSON.parse(readFileSync(join(project.folder, ".scrim/outputs.json"), "utf8"));
}

async function answer(project: Project, path = "/"): Promise<string> {
  const response = await fetch(new URL(path, outputs(project).url));
  return `${response.status} ${await response.text()}`;
}

/** Waits until the path answers so; gives what it answered last. */
async function answers(project: Project, expected: string, path = "/"): Promise<string> {
  await eventually(async () => (await answer(project, path)) === expected);
  return answer(project, path);
}

async function startDev(project: Project, ...flags: string[]): Promise<CliProcess> {
  const started = project.start(["dev", "--stage", "ada", ...flags], { timeoutMs: 120_000 });
  await eventually(() => /Watching for changes|"serving"/.test(started.output().stdout), 30_000);
  return started;
}

/** What was written since. */
function follow(dev: CliProcess): () => string {
  const { stdout, stderr } = dev.output();
  return () => dev.output().stdout.slice(stdout.length) + dev.output().stderr.slice(stderr.length);
}

describe("scrim dev", () => {
  let project: Project;
  let dev: CliProcess;
  beforeAll(async () => {
    project = makeProject();
    dev = await startDev(project);
  });
  afterAll(async () => {
    dev.kill("SIGKILL");
    await project.dispose();
  });

  it("shows where it works and the URL, and serves it", async () => {
    expect(dev.output().stdout).toContain("New stage: ada");
    expect(dev.output().stdout).toContain(outputs(project).url);
    expect(await answer(project)).toBe("200 hello");
  });

  it("answers with what was saved, save after save", async () => {
    for (const body of ["one", "two", "three"]) {
      project.write("src/hello.ts", handler(JSON.stringify(body)));
      expect(await answers(project, `200 ${body}`)).toBe(`200 ${body}`);
    }
    expect(await eventually(() => dev.output().stdout.includes("Updated Api/GET /"))).toBe(true);
  });

  it("shows what functions log", async () => {
    project.write(
      "src/hello.ts",
      `export async function get() { console.log("it was", "asked"); return "logged"; }\n`,
    );
    await answers(project, "200 logged");
    expect(await eventually(() => /Api\/GET \/ +it was asked/.test(dev.output().stdout))).toBe(
      true,
    );
  });

  it("keeps the last good handler through a mistake, and tells its place", async () => {
    const written = follow(dev);
    project.write("src/hello.ts", "export async function get() {\n  return {;\n}\n");
    expect(await eventually(() => written().includes("src/hello.ts:2:11"))).toBe(true);
    expect(written()).toContain("The last good version goes on being served");
    expect(await answer(project)).toBe("200 logged");
    project.write("src/hello.ts", handler('"mended"'));
    expect(await answers(project, "200 mended")).toBe("200 mended");
  });

  it("serves a route that was added, and no longer one that was taken away", async () => {
    project.write("src/more.ts", handler('"more"'));
    project.write("scrim.config.ts", config({ routes: 'api.route("GET /more", "src/more.get");' }));
    expect(await answers(project, "200 more", "/more")).toBe("200 more");
    expect(dev.output().stdout).toContain("Changed: scrim.config.ts");
    project.write("src/more.ts", handler('"much more"'));
    expect(await answers(project, "200 much more", "/more")).toBe("200 much more");
    project.write("scrim.config.ts", CONFIG);
    const gone = '404 {"message":"Not Found"}';
    expect(await answers(project, gone, "/more")).toBe(gone);
  });

  it("keeps the last good config through a mistake, and follows handlers meanwhile", async () => {
    const written = follow(dev);
    project.write("scrim.config.ts", CONFIG.replace("async run() {", "async run() {\n    oops(;"));
    expect(await eventually(() => /scrim\.config\.ts:7:\d+/.test(written()))).toBe(true);
    project.write("src/hello.ts", handler('"meanwhile"'));
    expect(await answers(project, "200 meanwhile")).toBe("200 meanwhile");
    project.write("scrim.config.ts", CONFIG.replace("async run() {", "async run() {\n    oops();"));
    expect(await eventually(() => written().includes("oops is not defined"))).toBe(true);
    project.write("scrim.config.ts", CONFIG);
    expect(await eventually(() => written().includes("Up to date"))).toBe(true);
  });

  it("follows .env files", async () => {
    const routes = 'api.route("GET /env", { handler: "src/env.get", environment });';
    const environment = "const environment = { WORD: process.env.WORD ?? 'none' };\n";
    project.write("src/env.ts", handler("process.env.WORD"));
    project.write("scrim.config.ts", config({ routes: environment + routes }));
    expect(await answers(project, "200 none", "/env")).toBe("200 none");
    project.write(".env.ada", "WORD=stage\n");
    expect(await answers(project, "200 stage", "/env")).toBe("200 stage");
    project.write(".env", "WORD=base\n");
    expect(await answers(project, "200 base", "/env")).toBe("200 base");
    rmSync(join(project.folder, ".env"));
    expect(await answers(project, "200 stage", "/env")).toBe("200 stage");
  });

  it("deploys with a secret as soon as it is set, also one that was missing", async () => {
    const written = follow(dev);
    const by =
      'new scrim.Secret("Word");\n    api.route("GET /word", { handler: "src/word.get", link: [word] });';
    project.write("src/word.ts", handler("(await import('scrim')).Resource.Word.value"));
    project.write("scrim.config.ts", config({ routes: `const word = ${by}` }));
    expect(await eventually(() => written().includes("Secret Word has no value"))).toBe(true);
    for (const word of ["first", "second"]) {
      const set = await project.scrim(["secret", "set", "Word", word, "--stage", "ada"]);
      expect(set).toMatchObject({ exit: 0 });
      expect(await answers(project, `200 ${word}`, "/word")).toBe(`200 ${word}`);
    }
    expect(written()).not.toContain("second");
  });

  it("is told from a second one, which says who has the stage", async () => {
    const second = await project.scrim(["dev", "--stage", "ada", "--json"]);
    expect(second.exit).toBe(3);
    const { error } = JSON.parse(second.stderr);
    expect(error).toMatchObject({ code: "DEV_RUNNING" });
    expect(error.why).toContain(`process ${dev.pid}`);
  });

  it("lives with a deploy of the same stage, whose changes the next save takes back", async () => {
    project.write("src/hello.ts", handler("process.env.BY ?? 'dev'"));
    project.write(
      "scrim.config.ts",
      config({})
        .replace('"src/hello.get"', '{ handler: "src/hello.get", environment: by }')
        .replace(
          "async run() {",
          'async run() {\n    const by: Record<string, string> = $dev ? {} : { BY: "deploy" };',
        ),
    );
    expect(await answers(project, "200 dev")).toBe("200 dev");
    const deployed = await project.scrim(["deploy", "--stage", "ada", "--lock-timeout", "30s"]);
    expect(deployed).toMatchObject({ exit: 0 });
    expect(await answer(project)).toBe("200 deploy");
    project.write("src/hello.ts", handler("(process.env.BY ?? 'dev') + ' again'"));
    expect(await answers(project, "200 dev again")).toBe("200 dev again");
  });

  it("ends with Ctrl-C, and the stage stays as it was served last", async () => {
    dev.kill("SIGINT");
    const { exit, stderr } = await dev.result;
    expect({ exit, stderr: stderr.includes("does not know") }).toEqual({ exit: 0, stderr: false });
    expect(await answer(project)).toBe("200 dev again");
    const { snapshot, head } = await recordedStage({
      home: project.home,
      app: "hello",
      stage: "ada",
    });
    expect([head.holder, snapshot.openIntents]).toEqual([null, []]);
    const again = await project.scrim(["deploy", "--stage", "ada", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "done", counts: { update: 1 } });
    expect(await answer(project)).toBe("200 deploy again");
  });
});

describe("scrim dev of a stage", () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject();
  });
  afterAll(() => project.dispose());

  it("that the config protects is refused", async () => {
    project.write("scrim.config.ts", config({ app: ", protect: true" }));
    const refused = await project.scrim(["dev", "--stage", "ada"]);
    expect(refused.exit).toBe(5);
    expect(refused.stderr).toContain("Cannot run dev on protected stage ada");
    expect((await project.scrim(["state", "list", "--json"])).stdout).not.toContain("ada");
  });

  it("that its last deploy protected is refused although the config does not any more", async () => {
    expect((await project.scrim(["deploy", "--stage", "ada"])).exit).toBe(0);
    project.write("scrim.config.ts", CONFIG);
    expect((await project.scrim(["dev", "--stage", "ada"])).exit).toBe(5);
    expect((await project.scrim(["deploy", "--stage", "ada"])).exit).toBe(0);
  });

  it("tells programs one document a line, and ends with the stage when that is removed", async () => {
    const dev = await startDev(project, "--json");
    const kinds = () =>
      dev
        .output()
        .stdout.trim()
        .split("\n")
        .map((line) => JSON.parse(line).kind);
    project.write("src/hello.ts", handler('"json"'));
    await answers(project, "200 json");
    const expected = ["header", "serving", "changing", "changed", "log"];
    await eventually(() => expected.every((kind) => kinds().includes(kind)));
    expect(kinds()).toEqual(expect.arrayContaining(expected));
    expect((await project.scrim(["remove", "--stage", "ada"])).exit).toBe(0);
    project.write("src/hello.ts", handler('"too late"'));
    const { exit, stderr } = await dev.result;
    expect(exit).toBe(1);
    expect(JSON.parse(stderr).error.code).toBe("STAGE_REMOVED");
  });

  it("whose last dev was killed is taken over, and what that one began is finished", async () => {
    const killed = await startDev(project);
    killed.kill("SIGKILL");
    await killed.result;
    const next = await startDev(project);
    expect(next.output().stdout).toContain("Watching for changes");
    next.kill("SIGTERM");
    expect((await next.result).exit).toBe(0);
  });
});
