import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endServer } from "../support/cli.ts";
import { makeProject, type Project } from "../support/project.ts";

describe("a first deploy", () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject();
  });
  afterAll(() => project.dispose());

  it("gives a URL that answers, and outputs for other programs", async () => {
    const deployed = await project.scrim(["deploy", "--stage", "alice"]);
    expect(deployed).toMatchObject({ exit: 0 });
    expect(deployed.stdout).toContain("New stage: alice");
    const outputs = JSON.parse(readFileSync(join(project.folder, ".scrim/outputs.json"), "utf8"));
    const response = await fetch(outputs.url);
    expect([response.status, await response.text()]).toEqual([200, "hello"]);
  });

  it("changes nothing when it is run again", async () => {
    const again = await project.scrim(["deploy", "--stage", "alice", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ version: 1, status: "unchanged" });
  });

  it("tells programs what it would have warned a person of", async () => {
    const { folder } = project;
    project.write(".env", "LEVEL=low");
    project.write(".env.alice", "LEVEL=high");
    const warned = await project.scrim(["deploy", "--stage", "alice", "--json"]);
    rmSync(join(folder, ".env"));
    rmSync(join(folder, ".env.alice"));
    expect(JSON.parse(warned.stdout).warnings).toMatchObject([{ code: "ENV_KEY_OVERRIDDEN" }]);
  });

  it("brings the URL back when the machine was restarted", async () => {
    await endServer(project.home);
    const again = await project.scrim(["deploy", "--stage", "alice", "--json"]);
    const { status, outputs } = JSON.parse(again.stdout);
    expect(status).toBe("unchanged");
    expect((await fetch(outputs.url)).status).toBe(200);
  });

  it("is listed with its time and its resources", async () => {
    const listed = await project.scrim(["state", "list", "--json"], { cwd: "/" });
    expect(JSON.parse(listed.stdout).stages).toMatchObject([
      { app: "hello", stage: "alice", status: "deployed", resources: 3 },
    ]);
  });

  it("leaves nothing when it is removed", async () => {
    const removed = await project.scrim(["remove", "--stage", "alice"]);
    expect(removed).toMatchObject({ exit: 0 });
    const listed = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(listed.stdout).stages).toMatchObject([]);
  });
});
