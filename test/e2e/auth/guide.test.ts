import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, pages } from "../../docs/markdown.ts";
import { cliFile } from "../../support/cli.ts";
import { makeProject, type Project } from "../../support/project.ts";
import { root } from "../../support/root.ts";

const PAGE = "docs/guide/protect-a-route.md";
const FILE = /^\/\/ (src\/\S+)\n/;

const blocks = pages()
  .filter(({ path }) => path === PAGE)
  .flatMap(blocksOf);
const config = blocks.find(({ text }) => text.startsWith("/// <reference"))?.text ?? "";
const files = ["src/auth.ts", "src/me.ts", "src/oidc-auth.ts", "src/members-auth.ts"];
const commands = blocks.filter(({ info }) => info === "sh").map(({ text }) => text);

describe("the guide to protected routes, followed to the letter", () => {
  let project: Project;
  let output = "";

  beforeAll(async () => {
    project = makeProject({ "package.json": '{ "type": "module" }\n' });
    expect(await project.scrim(["init", "notes", "--yes"])).toMatchObject({ exit: 0 });
    project.write("scrim.config.ts", config);
    for (const file of files) {
      const block = blocks.find(({ text }) => FILE.exec(text)?.[1] === file);
      expect(block, file).toBeDefined();
      project.write(file, block?.text ?? "");
    }
    const script = [`scrim() { "${process.execPath}" "${cliFile}" "$@"; }`, "set -e", ...commands];
    const run = spawnSync("bash", ["-c", script.join("\n")], {
      ...{ cwd: project.folder, encoding: "utf8", timeout: 60_000 },
      env: { PATH: process.env["PATH"], HOME: project.home, ...project.env },
    });
    expect(run.status, run.stdout + run.stderr).toBe(0);
    output = run.stdout;
  }, 90_000);

  afterAll(() => project.dispose());

  it("ends with the three answers that it tells of", () => {
    expect(commands.length).toBeGreaterThan(1);
    const statuses = [...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(["401", "401", "200"]);
    expect(output).toMatch(/\r\n\r\nUnauthorized/);
    expect(output).toMatch(/\r\n\r\nInvalid token/);
    expect(output).toMatch(/\{"userId":"[0-9a-f-]{36}","email":"ada@example\.com"\}$/);
  });

  it("makes a project that type-checks with the settings of scrim init", () => {
    const settings = JSON.parse(readFileSync(join(project.folder, "tsconfig.json"), "utf8"));
    expect(settings.compilerOptions.strict).toBe(true);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const run = spawnSync(process.execPath, [tsc, "--noEmit", "-p", "."], {
      ...{ cwd: project.folder, encoding: "utf8" },
    });
    expect(run.stdout + run.stderr).toBe("");
    expect(run.status).toBe(0);
  });
});
