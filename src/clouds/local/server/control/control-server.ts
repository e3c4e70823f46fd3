import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ServerStatus } from "../../control-api.ts";
import type { StageResources } from "../resources/stage-resources.ts";
import type { Stages } from "../stage-registry.ts";
import { createEpochGate, type EpochGate, parseEpoch } from "./epoch-gate.ts";
import { answer, answerError, readBody, readJson, ZIP_BYTES_MAX } from "./http.ts";
import { parsePutRequest } from "./put-request.ts";
import { Refusal } from "./refusal.ts";
import { type ControlRoute, parseControlPath } from "./routes.ts";

export interface ControlServerOptions {
  readonly token: string;
  readonly stages: Stages;
  status(): ServerStatus;
  /** Asked to drain and leave; called after the answer is on its way. */
  onStop(): void;
  /** Told when a request comes in; what it returns is called once when that request is over. */
  onRequest(): () => void;
  log(line: string): void;
}

type Serving = ControlServerOptions & { readonly gate: EpochGate };

/** The control API of control-api.ts as an HTTP server that does not listen yet. */
export function createControlServer(options: ControlServerOptions): Server {
  const expected = digest(`Bearer ${options.token}`);
  const gate = createEpochGate();
  const server = createServer((request, response) => {
    response.once("close", options.onRequest());
    respond(request, response, expected, { ...options, gate }).catch((error: unknown) =>
      answerError(response, error, options.log),
    );
  });
  // Code of 64 MiB over a local socket takes a second; a minute is for a machine under load.
  server.requestTimeout = 60_000;
  server.headersTimeout = 10_000;
  return server;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  expected: Buffer,
  options: Serving,
): Promise<void> {
  if (!timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) {
    throw new Refusal(401, "LOCAL_TOKEN_WRONG", "The token is not the one of server.json");
  }
  const route = parseControlPath(request.url ?? "");
  const method = request.method ?? "";
  const done = await dispatch(`${method} ${route.kind}`, route, request, response, options);
  if (!done) throw new Refusal(405, "LOCAL_METHOD_WRONG", `${method} is not possible here`);
}

/** Answers; false when the path has no such method. */
async function dispatch(
  what: string,
  route: ControlRoute,
  request: IncomingMessage,
  response: ServerResponse,
  options: Serving,
): Promise<boolean> {
  if (what === "GET status") answer(response, 200, options.status());
  else if (what === "POST stop") {
    answer(response, 204);
    options.onStop();
  } else if (route.kind !== "status" && route.kind !== "stop") {
    return dispatchStage(what, route, request, response, options);
  } else return false;
  return true;
}

type StageRoute = Exclude<ControlRoute, { kind: "status" | "stop" }>;

async function dispatchStage(
  what: string,
  route: StageRoute,
  request: IncomingMessage,
  response: ServerResponse,
  options: Serving,
): Promise<boolean> {
  const { stageKey } = route;
  const { stages } = options;
  if (what === "DELETE stage") {
    await stages.remove(stageKey);
    answer(response, 204);
  } else if (what === "POST wake") {
    const stage = stages.find(stageKey);
    await stage?.wake();
    const unwell = stage?.list().filter(({ problem }) => problem !== undefined);
    answer(response, 200, unwell ?? []);
  } else if (what === "GET resources") {
    answer(response, 200, stages.find(stageKey)?.list() ?? []);
  } else if (route.kind === "code") return respondCode(what, route, request, response, stages);
  else if (route.kind === "resource")
    return respondResource(what, route, request, response, options);
  else return false;
  return true;
}

async function respondCode(
  what: string,
  route: Extract<ControlRoute, { kind: "code" }>,
  request: IncomingMessage,
  response: ServerResponse,
  stages: Stages,
): Promise<boolean> {
  if (what === "HEAD code") {
    const has = await stages.find(route.stageKey)?.code.has(route.hash);
    answer(response, has === true ? 200 : 404);
    return true;
  }
  if (what !== "PUT code") return false;
  const zip = await readBody(request, ZIP_BYTES_MAX);
  const stage = await stages.open(route.stageKey);
  await stage.code.put(route.hash, zip);
  answer(response, 204);
  return true;
}

async function respondResource(
  what: string,
  route: Extract<ControlRoute, { kind: "resource" }>,
  request: IncomingMessage,
  response: ServerResponse,
  { stages, gate }: Serving,
): Promise<boolean> {
  const { stageKey, type, name } = route;
  const key = { type, name };
  const epoch = parseEpoch(request.headers["scrim-epoch"]);
  const stage: StageResources | null = stages.find(stageKey);
  if (what === "GET resource") {
    const found = (await gate.pass(stageKey, epoch, async () => stage?.get(key))) ?? null;
    if (found === null) throw new Refusal(404, "LOCAL_RESOURCE_ABSENT", `There is no ${key.name}`);
    answer(response, 200, found);
  } else if (what === "PUT resource") {
    const put = parsePutRequest(await readJson(request), stageKey);
    const opened = await stages.open(stageKey);
    answer(response, 200, await gate.pass(stageKey, epoch, () => opened.put(key, put)));
  } else if (what === "DELETE resource") {
    await gate.pass(stageKey, epoch, async () => stage?.delete(key));
    answer(response, 204);
  } else return false;
  return true;
}

/** Equal lengths for a comparison that takes equally long whatever was sent. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
