import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StageRuntime } from "../../runner/protocol.ts";
import { ask, createStageFixture, freePort, type StageFixture, until } from "./stage.fixture.ts";

const HELLO = `export const handler = async (event) => ({
  statusCode: 200,
  body: JSON.stringify({ path: event.rawPath, pid: process.pid }),
});`;

describe("a stage host", () => {
  let fixture: StageFixture;
  beforeAll(async () => {
    fixture = await createStageFixture();
  });
  afterAll(() => fixture.close());

  it("wakes a stage at the first request and serves it", async () => {
    const host = fixture.host();
    const port = await freePort();
    const hello = await fixture.function("Hello", HELLO);
    await host.apply(fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]));
    expect(host.status()[0]).toMatchObject({ runner: null, apis: [{ port, state: "asleep" }] });
    const reply = await ask(port, "/x");
    expect(reply).toMatchObject({ status: 200 });
    expect(JSON.parse(reply.body)).toMatchObject({ path: "/x" });
    const pid = host.status()[0]?.runner?.pid;
    expect(JSON.parse(reply.body)).toMatchObject({ pid });
    expect(host.status()[0]).toMatchObject({
      runner: { revision: 1 },
      apis: [{ state: "serving" }],
    });
    await host.remove("a-app.s-test");
    await expect(ask(port, "/x")).rejects.toThrow("ECONNREFUSED");
    expect(host.status()).toEqual([]);
  });

  it("calls an API whose port is taken unavailable, and gets it at the next apply", async () => {
    const host = fixture.host();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const hello = await fixture.function("Hello", HELLO);
    const runtime = fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]);
    await host.apply(runtime);
    expect(host.status()[0]?.apis[0]).toMatchObject({
      state: "unavailable",
      reason: `Port ${port} is taken by another program`,
    });
    await new Promise((resolve) => other.close(resolve));
    await host.apply({ ...runtime, revision: 2 });
    expect((await ask(port, "/x")).status).toBe(200);
    await host.remove("a-app.s-test");
  });

  it("serves again after the runner was killed in the middle of a request", async () => {
    const host = fixture.host();
    const port = await freePort();
    const slow = await fixture.function(
      "Slow",
      `export const handler = async (event) => {
        if (event.rawPath === "/slow") await new Promise((done) => setTimeout(done, 60_000));
        return { statusCode: 200, body: "ok" };
      };`,
    );
    await host.apply(fixture.runtime(1, [slow], [fixture.api(port, { "GET /{any}": "Slow" })]));
    expect((await ask(port, "/quick")).body).toBe("ok");
    const pid = host.status()[0]?.runner?.pid ?? 0;
    const started = await countOfStarts(fixture);
    const lost = ask(port, "/slow").catch((error: Error) => error);
    await until(async () => (await countOfStarts(fixture)) > started);
    process.kill(pid, "SIGKILL");
    expect(await lost).toBeInstanceOf(Error);
    expect((await ask(port, "/quick")).body).toBe("ok");
    expect(host.status()[0]?.runner?.pid).not.toBe(pid);
    const messages = (await fixture.logs()).map((entry) => entry.message);
    expect(messages.some((text) => text.includes("ended unexpectedly (SIGKILL)"))).toBe(true);
    await host.remove("a-app.s-test");
  });

  it("answers 503 while a runner cannot start, and tries again after a pause", async () => {
    const host = fixture.host({ runnerEntry: `${fixture.folder}/missing.js` });
    const port = await freePort();
    const hello = await fixture.function("Hello", HELLO);
    await host.apply(fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]));
    const reply = await ask(port, "/x");
    expect(reply).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
    await host.remove("a-app.s-test");
  });

  it("lets an idle runner go, and refuses and loses no request at that moment", async () => {
    const host = fixture.host({ idleMs: 60 });
    const port = await freePort();
    const hello = await fixture.function("Hello", HELLO);
    await host.apply(fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]));
    const pids = new Set<number>();
    for (let round = 0; round < 15; round += 1) {
      // Around the time at which the runner says that it is idle, a little later every round.
      await new Promise((resolve) => setTimeout(resolve, 45 + round * 4));
      const replies = await Promise.all([ask(port, "/x"), ask(port, "/x")]);
      for (const reply of replies) pids.add(JSON.parse(reply.body).pid);
    }
    expect(pids.size).toBeGreaterThan(1);
    await until(() => host.status()[0]?.runner === null);
    await until(() => [...pids].every((pid) => !isAlive(pid)));
    await host.remove("a-app.s-test");
  });

  it("loses no request while functions are replaced under load, and memory stays level", async () => {
    const host = fixture.host();
    const port = await freePort();
    const api = fixture.api(port, { "GET /x": "Hello" });
    const version = (number: number) =>
      fixture.function("Hello", `export const handler = async () => "${number}";`);
    await host.apply(fixture.runtime(1, [await version(1)], [api]));
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    let isOver = false;
    const failures: unknown[] = [];
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const reply = await ask(port, "/x", { agent }).catch((error: Error) => error);
        if (reply instanceof Error || reply.status !== 200) failures.push(reply);
      }
    });
    const pid = () => host.status()[0]?.runner?.pid ?? 0;
    let early = 0;
    for (let number = 2; number <= 40; number += 1) {
      await host.apply(fixture.runtime(number, [await version(number)], [api]));
      // What apply promises: the next request sees the new version.
      expect((await ask(port, "/x", { agent })).body).toBe(String(number));
      if (number === 20) early = residentBytes(pid());
    }
    const late = residentBytes(pid());
    isOver = true;
    await Promise.all(load);
    agent.destroy();
    expect(failures).toEqual([]);
    if (early > 0) expect(late).toBeLessThan(early * 1.35);
    await host.remove("a-app.s-test");
  });

  it("answers what is in flight before it closes", async () => {
    const host = fixture.host();
    const port = await freePort();
    const slow = await fixture.function(
      "Closing",
      `export const handler = async () => {
        console.log("closing soon");
        await new Promise((done) => setTimeout(done, 700));
        return "done";
      };`,
    );
    await host.apply(fixture.runtime(1, [slow], [fixture.api(port, { "GET /x": "Closing" })]));
    const reply = ask(port, "/x");
    await until(async () =>
      (await fixture.logs()).some((entry) => entry.message === "closing soon"),
    );
    const pid = host.status()[0]?.runner?.pid ?? 0;
    await host.close();
    expect(isAlive(pid)).toBe(false);
    expect((await reply).body).toBe("done");
    await expect(host.apply(fixture.runtime(2, [slow], []))).rejects.toThrow("closed");
  });

  it("finishes an event that is under way when its function is replaced", async () => {
    const host = fixture.host();
    const port = await freePort();
    const api = fixture.api(port, { "GET /x": "Slow" });
    const version = (number: number) =>
      fixture.function(
        "Slow",
        `export const handler = async () => {
          console.log("in ${number}");
          await new Promise((done) => setTimeout(done, ${number === 1 ? 600 : 0}));
          return "${number}";
        };`,
      );
    await host.apply(fixture.runtime(1, [await version(1)], [api]));
    const old = ask(port, "/x");
    await until(async () => (await fixture.logs()).some((entry) => entry.message === "in 1"));
    await host.apply(fixture.runtime(2, [await version(2)], [api]));
    expect((await ask(port, "/x")).body).toBe("2");
    expect((await old).body).toBe("1");
    await host.remove("a-app.s-test");
  });

  it("adds, moves and removes APIs of a stage that is awake", async () => {
    const host = fixture.host();
    const [first, second, third] = await Promise.all([freePort(), freePort(), freePort()]);
    const hello = await fixture.function("Hello", HELLO);
    const api = (port: number, id: string) => fixture.api(port, { "GET /x": "Hello" }, { id });
    await host.apply(fixture.runtime(1, [hello], [api(first, "aaaaaaaaaa")]));
    expect((await ask(first, "/x")).status).toBe(200);
    const pid = host.status()[0]?.runner?.pid;
    const both = [api(first, "aaaaaaaaaa"), api(second, "bbbbbbbbbb")];
    await host.apply(fixture.runtime(2, [hello], both));
    expect((await ask(second, "/x")).status).toBe(200);
    await host.apply(fixture.runtime(3, [hello], [api(third, "bbbbbbbbbb")]));
    expect((await ask(third, "/x")).status).toBe(200);
    for (const port of [first, second]) {
      await expect(ask(port, "/x")).rejects.toThrow("ECONNREFUSED");
    }
    expect(host.status()[0]?.runner?.pid).toBe(pid);
    await host.remove("a-app.s-test");
  });

  it("loses only what was in flight when the runner is killed again and again", async () => {
    const host = fixture.host();
    const port = await freePort();
    const hello = await fixture.function("Hello", HELLO);
    await host.apply(fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]));
    for (let round = 0; round < 2; round += 1) {
      expect((await ask(port, "/x")).status).toBe(200);
      process.kill(host.status()[0]?.runner?.pid ?? 0, "SIGKILL");
      // These come while the server may not know yet; none has been read by the runner that is gone.
      const replies = await Promise.all(Array.from({ length: 5 }, () => ask(port, "/x")));
      expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
    }
    await host.remove("a-app.s-test");
  });

  it("ends what handlers started together with the runner", async () => {
    const host = fixture.host();
    const port = await freePort();
    const child = await fixture.function(
      "Child",
      `import { spawn } from "node:child_process";
      export const handler = async () => spawn("sleep", ["300"], { stdio: "ignore" }).pid;`,
    );
    await host.apply(fixture.runtime(1, [child], [fixture.api(port, { "GET /x": "Child" })]));
    const pid = Number((await ask(port, "/x")).body);
    expect(isAlive(pid)).toBe(true);
    await host.remove("a-app.s-test");
    await until(() => !isAlive(pid));
  });

  it("leaves no process behind when the server itself is killed", async () => {
    const port = await freePort();
    const hello = await fixture.function("Hello", HELLO);
    const runtime = fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]);
    const server = await startServerProcess(fixture, runtime);
    const { pid } = JSON.parse((await ask(port, "/x")).body);
    expect(isAlive(pid)).toBe(true);
    server.kill("SIGKILL");
    await until(() => !isAlive(pid));
    const host = fixture.host();
    await host.apply(runtime);
    expect((await ask(port, "/x")).status).toBe(200);
    await host.remove("a-app.s-test");
  });

  it("keeps a hundred sleeping stages at less than a megabyte each", async () => {
    const host = fixture.host();
    const hello = await fixture.function("Hello", HELLO);
    const before = process.memoryUsage().rss;
    for (let number = 0; number < 100; number += 1) {
      const api = fixture.api(await freePort(), { "GET /x": "Hello" });
      const stageKey = `a-app.s-sleeping${number}`;
      await host.apply({ ...fixture.runtime(1, [hello], [api]), stageKey });
    }
    expect(host.status()).toHaveLength(100);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_024 * 1_024);
    await host.close();
    expect(host.status()).toEqual([]);
  });
});

async function countOfStarts(fixture: StageFixture): Promise<number> {
  return (await fixture.logs()).filter((entry) => entry.message.startsWith("START")).length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** 0 where the machine does not tell. */
function residentBytes(pid: number): number {
  if (process.platform !== "linux") return 0;
  const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1];
  return Number(pages) * 4_096;
}

/** A process of its own that holds the stage; resolves when the stage is applied. */
async function startServerProcess(
  fixture: StageFixture,
  runtime: StageRuntime,
): Promise<ChildProcess> {
  const entry = join(fixture.folder, "dist", "host.js");
  const module = fileURLToPath(new URL("./stage-host.ts", import.meta.url));
  const runnerEntry = join(fixture.folder, "dist", "runner.js");
  await build({
    stdin: {
      contents: `
        import { createStageHost } from ${JSON.stringify(module)};
        const host = createStageHost({ runnerEntry: ${JSON.stringify(runnerEntry)} });
        await host.apply(${JSON.stringify(runtime)});
        process.send("applied");`,
      resolveDir: fixture.folder,
    },
    outfile: entry,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const server = fork(entry, { stdio: "inherit" });
  await once(server, "message");
  return server;
}
