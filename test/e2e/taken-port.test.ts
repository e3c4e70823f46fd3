import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endServer } from "../support/cli.ts";
import { makeProject, type Project } from "../support/project.ts";

describe("a port that another program took while the machine was down", () => {
  let project: Project;
  let intruder: Server;
  beforeAll(() => {
    project = makeProject();
  });
  afterAll(async () => {
    intruder?.close();
    await project.dispose();
  });

  it("is given up by the next deploy, which shows the new URL", async () => {
    const first = JSON.parse((await project.scrim(["deploy", "--stage", "a", "--json"])).stdout);
    await endServer(project.home);
    const port = Number(new URL(first.outputs.url).port);
    intruder = createServer((_, response) => response.end("intruder"));
    await listenSoon(intruder, port);

    const deployed = await project.scrim(["deploy", "--stage", "a", "--json"]);
    expect(deployed).toMatchObject({ exit: 0, stderr: "" });
    const second = JSON.parse(deployed.stdout);
    expect(second).toMatchObject({ status: "done", counts: { update: 1 } });
    expect(second.outputs.url).not.toBe(first.outputs.url);
    expect(await (await fetch(second.outputs.url)).text()).toBe("hello");

    const third = JSON.parse((await project.scrim(["deploy", "--stage", "a", "--json"])).stdout);
    expect(third).toMatchObject({ status: "unchanged", outputs: second.outputs });
  });
});

/** The port is free as soon as the last process that held it is gone, which takes a moment. */
async function listenSoon(server: Server, port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(port, "127.0.0.1", resolve);
      });
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
