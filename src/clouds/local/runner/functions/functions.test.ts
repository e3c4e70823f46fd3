import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEntry } from "../../../cloud.ts";
import {
  ask,
  createStageFixture,
  freePort,
  type Reply,
  type StageFixture,
  until,
} from "../../server/stages/stage.fixture.ts";
import type { FunctionRuntime } from "../protocol.ts";

const INTERNAL = { status: 500, body: '{"message":"Internal Server Error"}' };

describe("a function", () => {
  let fixture: StageFixture;
  let revision = 0;
  beforeAll(async () => {
    fixture = await createStageFixture();
    process.env["AWS_SECRET_ACCESS_KEY"] = "of the developer";
  });
  afterAll(async () => {
    delete process.env["AWS_SECRET_ACCESS_KEY"];
    await fixture.close();
  });

  /** Serves one function and gives the way to call it; each has a name of its own in the log. */
  async function serve(
    source: string,
    more: Partial<FunctionRuntime> = {},
    options: {
      readonly kind?: "function-url";
      readonly gatewayTimeoutMs?: number;
      readonly instanceIdleMs?: number;
    } = {},
  ) {
    revision += 1;
    const name = `F${revision}`;
    const port = await freePort();
    const { kind, ...hostOptions } = options;
    const host = fixture.host(hostOptions);
    const runtime = fixture.runtime(
      revision,
      [await fixture.function(name, source, more)],
      [fixture.api(port, { $default: name }, kind === undefined ? {} : { kind })],
    );
    await host.apply(runtime);
    return {
      call: (path = "/"): Promise<Reply> => ask(port, path),
      logs: async (): Promise<readonly LogEntry[]> =>
        (await fixture.logs()).filter((entry) => entry.function === name),
      end: () => host.remove(runtime.stageKey),
    };
  }

  it("has its output and the platform's lines in the log before it is answered", async () => {
    const { call, logs, end } = await serve(`
      console.log("loading");
      export const handler = async () => {
        console.debug("d"); console.info("i %s", 1); console.warn("w"); console.error(new Error("e"));
        process.stdout.write("raw\\n");
        return "done";
      };`);
    expect((await call()).body).toBe("done");
    const entries = await logs();
    const id = entries.at(-1)?.requestId ?? "";
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(entries.map((entry) => [entry.requestId, entry.level, entry.message])).toEqual([
      ["", "info", "loading"],
      [id, "platform", `START RequestId: ${id} Version: $LATEST`],
      [id, "debug", "d"],
      [id, "info", "i 1"],
      [id, "warn", "w"],
      [id, "error", expect.stringContaining("Error: e\n")],
      [id, "info", "raw"],
      [id, "platform", `END RequestId: ${id}`],
      [
        id,
        "platform",
        expect.stringMatching(
          /^REPORT RequestId: \S+\tDuration: [\d.]+ ms\tBilled Duration: \d+ ms\tMemory Size: 256 MB\tInit Duration: [\d.]+ ms$/,
        ),
      ],
    ]);
    await call();
    expect((await logs()).at(-1)?.message).not.toContain("Init Duration");
    await end();
  });

  it("gets Lambda's context and exactly its own environment", async () => {
    const { call, end } = await serve(
      `import { readFileSync } from "node:fs";
      export const handler = async (event, context) => ({
        context: { ...context, left: context.getRemainingTimeInMillis() },
        env: process.env, cwd: process.cwd(),
        real: readFileSync("/proc/self/environ", "utf8"),
      });`,
      { environment: { MINE: "1", AWS_REGION: "us-east-1" }, timeoutMs: 5_000 },
    );
    const { context, env, cwd, real } = JSON.parse((await call()).body);
    expect(context).toMatchObject({
      functionVersion: "$LATEST",
      functionName: expect.stringMatching(/^app-test-F/),
      memoryLimitInMB: "256",
      invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:/),
      logGroupName: expect.stringMatching(/^\/aws\/lambda\//),
      callbackWaitsForEmptyEventLoop: true,
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(context.left).toBeGreaterThan(1_000);
    expect(context.left).toBeLessThanOrEqual(5_000);
    expect(env).toMatchObject({ MINE: "1", AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256" });
    expect(cwd).toBe(env.LAMBDA_TASK_ROOT);
    expect(JSON.stringify(env) + real).not.toContain("of the developer");
    await end();
  });

  it("keeps its state between events, and is given one event at a time", async () => {
    const { call, end } = await serve(
      `let count = 0, now = 0;
      export const handler = async () => {
        const among = ++now;
        await new Promise((done) => setTimeout(done, 20));
        now -= 1;
        return { count: ++count, among };
      };`,
      { concurrency: 1 },
    );
    expect(JSON.parse((await call()).body)).toEqual({ count: 1, among: 1 });
    expect(JSON.parse((await call()).body)).toEqual({ count: 2, among: 1 });
    const replies = await Promise.all([call(), call(), call()]);
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toContain(200);
    expect(replies.find((reply) => reply.status !== 200)).toMatchObject({
      status: 503,
      body: '{"message":"Service Unavailable"}',
    });
    await end();
  });

  it("without a limit of its own runs as many instances as it takes", async () => {
    const { call, end } = await serve(`import { threadId } from "node:worker_threads";
      export const handler = async () => {
        await new Promise((done) => setTimeout(done, 300));
        return threadId;
      };`);
    const replies = await Promise.all(Array.from({ length: 6 }, () => call()));
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(6);
    await end();
  });

  it.each([
    ["waits for the event loop", "setTimeout(() => global.late = 1, 50);", "1"],
    [
      "does not, when told so",
      "context.callbackWaitsForEmptyEventLoop = false; setTimeout(() => global.late = 1, 50);",
      "0",
    ],
  ])("that calls back %s", async (_, before, late) => {
    const { call, end } = await serve(`export const handler = (event, context, callback) => {
      global.late = 0;
      ${before}
      callback(null, { statusCode: 200, get body() { return String(global.late); } });
    };`);
    expect((await call()).body).toBe(late);
    await end();
  });

  it.each([
    ["calls back with an error", "(e, c, callback) => callback(new Error('boom'))", "Error: boom"],
    ["throws", "() => { throw new TypeError('boom'); }", "TypeError: boom"],
    ["rejects", "async () => { throw new RangeError('boom'); }", "RangeError: boom"],
    ["throws no error", "async () => { throw 'boom'; }", "The handler threw 'boom'"],
    ["calls context.fail", "(e, context) => context.fail(new Error('boom'))", "Error: boom"],
    ["returns what JSON cannot hold", "async () => 1n", "TypeError: Do not know how to serialize"],
    [
      "leaves a rejection unhandled",
      "async () => { Promise.reject(new Error('boom')); await new Promise((d) => setTimeout(d, 5000)); }",
      "Error: boom",
    ],
    [
      "throws later",
      "async () => { setTimeout(() => { throw new Error('boom'); }, 1); await new Promise((d) => setTimeout(d, 5000)); }",
      "Error: boom",
    ],
    ["exits", "async () => process.exit(3)", "Runtime exited with status 3"],
  ])("that %s fails once and works again", async (_, handler, problem) => {
    const { call, logs, end } = await serve(`const bad = ${handler};
      export const handler = (event, context, callback) => event.rawPath === "/bad"
        ? bad(event, context, callback) : Promise.resolve("fine");`);
    expect(await call("/bad")).toMatchObject(INTERNAL);
    expect((await call("/good")).body).toBe("fine");
    const errors = (await logs()).filter((entry) => entry.level === "error");
    expect(errors.map((entry) => entry.message)[0]).toContain(problem);
    await end();
  });

  it("that neither returns a promise nor calls back ends with null", async () => {
    const { call, logs, end } = await serve("export const handler = () => ({ statusCode: 201 });");
    expect(await call()).toMatchObject({ status: 200, body: "null" });
    const warning = (await logs()).find((entry) => entry.level === "warn");
    expect(warning?.message).toContain("Make the handler async");
    await end();
  });

  it.each([
    ["waits too long", "await new Promise((done) => setTimeout(done, 60_000));"],
    ["never yields", "for (;;) {}"],
  ])("that %s is ended at its timeout and works again", async (_, body) => {
    const { call, logs, end } = await serve(
      `export const handler = async (event) => {
        console.log("began");
        if (event.rawPath === "/slow") { ${body} }
        return "fine";
      };`,
      { timeoutMs: 400 },
    );
    expect((await call("/quick")).body).toBe("fine");
    expect(await call("/slow")).toMatchObject(INTERNAL);
    const messages = (await logs()).map((entry) => entry.message);
    expect(messages).toContain("Task timed out after 0.40 seconds");
    expect(messages.filter((text) => text === "began")).toHaveLength(2);
    expect((await call("/quick")).body).toBe("fine");
    await end();
  });

  it("that outlasts the gateway goes on after the client was answered", async () => {
    const { call, logs, end } = await serve(
      `export const handler = async (event) => {
        if (event.rawPath === "/quick") return "fine";
        await new Promise((done) => setTimeout(done, 1_500));
        console.log("still here");
      };`,
      {},
      { gatewayTimeoutMs: 500 },
    );
    await until(async () => (await call("/quick")).status === 200);
    expect(await call("/slow")).toMatchObject({
      status: 503,
      body: '{"message":"Service Unavailable"}',
    });
    await until(async () => (await logs()).some((entry) => entry.message === "still here"));
    await end();
  });

  it("that uses up its memory fails, and its runner lives on", async () => {
    const { call, logs, end } = await serve(
      `const kept = [];
      export const handler = async (event) => {
        while (event.rawPath === "/eat") kept.push(new Array(100_000).fill(kept.length));
        return process.pid;
      };`,
      { memoryMb: 64 },
    );
    const pid = (await call("/")).body;
    expect(await call("/eat")).toMatchObject(INTERNAL);
    expect((await call("/")).body).toBe(pid);
    const messages = (await logs()).map((entry) => entry.message);
    expect(messages.some((text) => text.includes("more than its 64 MB of memory"))).toBe(true);
    await end();
  });

  it.each([
    ["throws while it loads", "throw new Error('no luck');", "Error: no luck"],
    [
      "has no such export",
      "export const other = 1;",
      "Runtime.HandlerNotFound: index.handler is undefined",
    ],
    ["exports no function", "export const handler = 1;", "index.handler is not a function"],
    ["cannot be parsed", "export const = ;", "SyntaxError"],
    [
      "imports what is not there",
      "import 'none-such'; export const handler = async () => 1;",
      "none-such",
    ],
    ["waits for ever while it loads", "await new Promise(() => {});", "never settles"],
    ["exits while it loads", "process.exit(4);", "Runtime exited with status 4"],
  ])("that %s answers 500 and says why", async (_, source, problem) => {
    const { call, logs, end } = await serve(source);
    expect(await call()).toMatchObject(INTERNAL);
    expect(await call()).toMatchObject(INTERNAL);
    const errors = (await logs()).filter((entry) => entry.level === "error");
    expect(errors[0]?.message).toContain(problem);
    await end();
  });

  it("behind a function URL fails as AWS says: 502 in plain words, 429 when throttled", async () => {
    const failing = await serve(
      "export const handler = async () => { throw 1; };",
      {},
      { kind: "function-url" },
    );
    expect(await failing.call()).toMatchObject({ status: 502, body: "Internal Server Error" });
    await failing.end();
    const none = await serve(
      "export const handler = async () => 1;",
      { concurrency: 0 },
      { kind: "function-url" },
    );
    expect((await none.call()).status).toBe(429);
    await none.end();
  });

  it("names the user's own file in a stack trace when there is a source map", async () => {
    const source = [
      "export const handler = async () => { throw new Error('boom'); };",
      "//# sourceMappingURL=index.mjs.map",
    ].join("\n");
    const described = await fixture.function("Mapped", source);
    const map = {
      version: 3,
      sources: ["notes.ts"],
      names: [],
      mappings: "AAUA",
      sourcesContent: [""],
    };
    await writeFile(join(described.codeFolder, "index.mjs.map"), JSON.stringify(map));
    const { call, logs, end } = await serve(source);
    expect(await call()).toMatchObject(INTERNAL);
    const errors = (await logs()).filter((entry) => entry.level === "error");
    expect(errors[0]?.message).toMatch(/notes\.ts:11/);
    await end();
  });

  it("has its instances ended when they had nothing to do for a while", async () => {
    const { call, end } = await serve(
      `let count = 0; export const handler = async () => ++count;`,
      {},
      { instanceIdleMs: 200 },
    );
    expect((await call()).body).toBe("1");
    await until(async () => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      return (await call()).body === "1";
    });
    await end();
  });

  it("may be written in CommonJS and nested below its export", async () => {
    const { call, end } = await serve(
      `export default { deep: { handler: async () => "found" } };`,
      { handler: "index.deep.handler" },
    );
    expect((await call()).body).toBe("found");
    await end();
  });

  it("is refused a response beyond 6 MB", async () => {
    const { call, logs, end } = await serve(
      `export const handler = async () => ({ statusCode: 200, body: "x".repeat(6_300_000) });`,
    );
    expect(await call()).toMatchObject(INTERNAL);
    const errors = (await logs()).filter((entry) => entry.level === "error");
    expect(errors[0]?.message).toContain("Function.ResponseSizeTooLarge");
    await end();
  });
});
