import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendControlRequest } from "../../client/control-request.ts";
import type { ServerInfo } from "../../control-api.ts";
import { localFolders } from "../../folders.ts";
import { createFakeStage, type FakeStage, putOf } from "../resources/stage.fixture.ts";
import { openStageResources } from "../resources/stage-resources.ts";
import { openStages } from "../stage-registry.ts";
import { createControlServer } from "./control-server.ts";

const KEY = "a-shop.s-dev";
const RESOURCE = `/v1/stages/${KEY}/resources/local:bucket/uploads`;

let fake: FakeStage;
let server: Server;
let info: ServerInfo;
let folder: string;
let stops: number;

beforeEach(async () => {
  fake = createFakeStage();
  folder = mkdtempSync(join(tmpdir(), "scrim-control-"));
  stops = 0;
  const stages = await openStages({
    folders: localFolders(fake.folder),
    openStage: async () => openStageResources(await fake.dependencies()),
    stopStage: (stageKey) => fake.host.remove(stageKey),
    log: () => undefined,
  });
  const socket = join(folder, "s.sock");
  info = {
    ...{ pid: process.pid, pidStart: "", startedAt: "", homeId: "", socket },
    ...{ token: "right", version: "1.0.0", protocol: 1 },
  };
  server = createControlServer({
    token: "right",
    stages,
    status: () => ({ ...info, dataPort: null, stages: [] }),
    onStop: () => {
      stops += 1;
    },
    onRequest: () => () => undefined,
    log: () => undefined,
  }).listen(socket);
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  for (const each of [folder, fake.folder]) rmSync(each, { recursive: true, force: true });
});

type Method = Parameters<typeof sendControlRequest>[1]["method"];

async function ask(method: Method, path: string, body?: string, token = "right") {
  const { signal } = new AbortController();
  const sent = { method, path, signal, timeoutMs: 10_000, ...(body === undefined ? {} : { body }) };
  const { status, text } = await sendControlRequest({ ...info, token }, sent);
  return { status, body: text === "" ? null : (JSON.parse(text) as Record<string, unknown>) };
}

const put = (more: object = {}) => JSON.stringify({ ...putOf({ cors: null }), ...more });

describe("the control API", () => {
  it("puts, gets, lists and deletes a resource, each as often as one likes", async () => {
    const made = await ask("PUT", RESOURCE, put());
    expect(made).toMatchObject({ status: 200, body: { id: "uploads", spec: { cors: null } } });
    expect(await ask("PUT", RESOURCE, put())).toEqual(made);
    expect(await ask("GET", RESOURCE)).toEqual(made);
    expect((await ask("GET", `/v1/stages/${KEY}/resources`)).body).toEqual([made.body]);
    expect((await ask("DELETE", RESOURCE)).status).toBe(204);
    expect((await ask("DELETE", RESOURCE)).status).toBe(204);
    expect((await ask("GET", RESOURCE)).status).toBe(404);
  });

  it("answers nothing without the token", async () => {
    const refused = await ask("GET", "/v1/status", undefined, "wrong");
    expect(refused).toMatchObject({ status: 401, body: { code: "LOCAL_TOKEN_WRONG" } });
    expect((await ask("POST", "/v1/stop", undefined, "")).status).toBe(401);
    expect(stops).toBe(0);
  });

  it("stops when asked to, after it has answered", async () => {
    expect((await ask("POST", "/v1/stop")).status).toBe(204);
    expect(stops).toBe(1);
  });

  it("removes a stage only when it is empty", async () => {
    await ask("PUT", RESOURCE, put());
    const refused = await ask("DELETE", `/v1/stages/${KEY}`);
    expect(refused).toMatchObject({ status: 409, body: { code: "LOCAL_STAGE_NOT_EMPTY" } });
    await ask("DELETE", RESOURCE);
    expect((await ask("DELETE", `/v1/stages/${KEY}`)).status).toBe(204);
    expect((await ask("DELETE", `/v1/stages/${KEY}`)).status).toBe(204);
  });

  it.each([
    ["GET", "/", 404],
    ["GET", "/v2/status", 404],
    ["GET", "/v1/stages/%zz/resources", 404],
    ["GET", "/v1/stages/..%2f..%2fetc/resources", 400],
    ["GET", "/v1/stages/a-...s-dev/resources", 400],
    ["GET", `/v1/stages/${KEY}/resources/local:bucket/..%2fx`, 400],
    ["GET", `/v1/stages/${KEY}/resources/other:bucket/x`, 400],
    ["HEAD", `/v1/stages/${KEY}/code/abc`, 400],
    ["DELETE", "/v1/status", 405],
    ["POST", RESOURCE, 405],
  ] as const)("answers %s %s with %i", async (method, path, status) => {
    const response = await ask(method, path).catch((error: unknown) => error);
    expect(response).toMatchObject({ status });
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["another stage", put({ stage: "prod" })],
    ["a spec that is a list", put({ spec: [] })],
    ["a tag that is a number", put({ tags: { a: 1 } })],
    ["no token", put({ token: undefined })],
  ])("refuses a body with %s", async (_, body) => {
    expect(await ask("PUT", RESOURCE, body)).toMatchObject({
      status: 400,
      body: { code: "LOCAL_BODY_INVALID" },
    });
  });

  it("refuses a body that is too large", async () => {
    const body = put({ spec: { text: "x".repeat(5 * 1024 * 1024) } });
    const answer = await ask("PUT", RESOURCE, body).catch((error: unknown) => error);
    // The connection may be closed before the whole body is sent.
    const isRefused = answer instanceof Error || (answer as { status: number }).status === 413;
    expect(isRefused).toBe(true);
    expect((await ask("GET", RESOURCE)).status).toBe(404);
  });
});
