import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, createStageFixture, freePort, type StageFixture, until } from "./stage-fixture.ts";

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

  it("lets an idle runner go and refuses no connection meanwhile", async () => {
    const host = fixture.host({ idleMs: 300 });
    const port = await freePort();
    const hello = await fixture.function("Hello", HELLO);
    await host.apply(fixture.runtime(1, [hello], [fixture.api(port, { "GET /x": "Hello" })]));
    const pids = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      const reply = await ask(port, "/x");
      pids.add(JSON.parse(reply.body).pid);
      await until(async () => host.status()[0]?.runner === null);
      // The next round asks at the very moment the old runner leaves.
    }
    expect(pids.size).toBe(3);
    await host.remove("a-app.s-test");
  });
});

async function countOfStarts(fixture: StageFixture): Promise<number> {
  return (await fixture.logs()).filter((entry) => entry.message.startsWith("START")).length;
}
