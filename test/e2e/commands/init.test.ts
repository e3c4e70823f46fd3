import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../../support/project.ts";
import { available } from "../../support/require.ts";
import { root } from "../../support/root.ts";

const FILES = [".gitignore", "scrim-env.d.ts", "scrim.config.ts", "src", "tsconfig.json"];

let project: Project;
afterEach(() => project.dispose());

const names = (): string[] =>
  readdirSync(project.folder)
    .filter((name) => name !== "node_modules" && name !== ".scrim")
    .sort();
const read = (file: string): string => readFileSync(join(project.folder, file), "utf8");

describe("scrim init", () => {
  it("makes a project whose first deploy answers", async () => {
    project = makeProject({});
    const made = await project.scrim(["init", "notes", "--yes"]);
    expect(made.exit, made.stderr).toBe(0);
    expect(made.stdout).toContain("npx scrim deploy");
    expect(names()).toEqual(FILES);
    expect(read(".gitignore")).toContain(".scrim/\n");
    expect(read("scrim.config.ts")).toContain('protect: input.stage === "production"');
    const deployed = await project.scrim(["deploy", "--stage", "x", "--json"]);
    expect(deployed.exit, deployed.stderr).toBe(0);
    const response = await fetch(JSON.parse(deployed.stdout).outputs.url);
    expect([response.status, await response.json()]).toEqual([
      200,
      { message: "Hello from notes", stage: "x" },
    ]);
  });

  it("overwrites nothing in a folder that has files, and says what it left", async () => {
    const kept = { "tsconfig.json": "{}", "src/hello.ts": "export {};\n", ".gitignore": "dist" };
    project = makeProject({ ...kept, "package.json": '{"name":"@me/my shop.app"}' });
    const made = await project.scrim(["init", "--yes", "--json"]);
    expect(JSON.parse(made.stdout)).toMatchObject({
      app: "my-shop-app",
      created: ["src/scrim-hello.ts", "scrim.config.ts", "scrim-env.d.ts"],
      changed: [".gitignore"],
      left: ["tsconfig.json"],
    });
    expect(read("tsconfig.json")).toBe("{}");
    expect(read("src/hello.ts")).toBe("export {};\n");
    expect(read(".gitignore")).toBe("dist\n.scrim/\n");
    expect(read("scrim.config.ts")).toContain('"src/scrim-hello.get"');
  });

  it("refuses a folder that has a config, and a name that no app can have", async () => {
    project = makeProject({ "scrim.config.mjs": "export default {};\n" });
    const again = await project.scrim(["init", "--yes"]);
    expect(again).toMatchObject({ exit: 2, stdout: "" });
    expect(again.stderr).toContain("There is a scrim.config.mjs");
    expect(names()).toEqual(["scrim.config.mjs"]);
    const name = await project.scrim(["init", "My App!"], { cwd: dirname(project.home) });
    expect(name).toMatchObject({ exit: 2, stdout: "" });
  });

  it.runIf(available("dist/types", existsSync(join(root, "dist/types"))))(
    "makes a project that tsc checks, down to the line of a mistake",
    async () => {
      project = makeProject({});
      await project.scrim(["init", "notes", "--yes"]);
      expect(tsc()).toBe("");
      const config = read("scrim.config.ts");
      project.write("scrim.config.ts", config.replace('"Api")', '"Api", { crs: true })'));
      expect(tsc()).toMatch(/^scrim\.config\.ts\(13,.*'crs' does not exist/);
      project.write("scrim.config.ts", config);
      project.write("src/hello.ts", read("src/hello.ts").replace("Resource.App", "Resource.Typo"));
      expect(tsc()).toMatch(/^src\/hello\.ts\(5,.*'Typo' does not exist/);
    },
  );
});

/** What the compiler says of the project, declaration files included. */
function tsc(): string {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", project.folder, "--pretty", "false", "--skipLibCheck", "false"];
  return spawnSync(process.execPath, args, { cwd: project.folder, encoding: "utf8" }).stdout;
}
