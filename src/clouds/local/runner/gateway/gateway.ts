import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { InvocationResult } from "../functions/function-pool.ts";
import { newRequestId } from "../functions/function-pool.ts";
import type { FunctionSet } from "../functions/function-set.ts";
import type { StageLog } from "../logs/stage-log.ts";
import type { ApiRuntime } from "../protocol.ts";
import { type Answer, refuse } from "./answer.ts";
import { isPreflight, preflightAnswer, withCors } from "./cors.ts";
import { mapFunctionResponse } from "./function-response.ts";
import { isLoopbackHost } from "./host.ts";
import { hasBody, readBody } from "./read-body.ts";
import { requestEvent } from "./request-event.ts";
import { newGatewayRequestId } from "./request-id.ts";
import { createRouteTable, type RouteMatch, type RouteTable } from "./route-table.ts";
import { parseTarget, type Target } from "./target.ts";

export interface GatewaySettings {
  readonly api: ApiRuntime;
  readonly account: string;
  readonly region: string;
}

export interface GatewayOptions {
  readonly functions: FunctionSet;
  readonly log: StageLog;
  /** How long an HTTP API waits for its function. */
  readonly timeoutMs: number;
}

/** The HTTP side of one API. It owns no port: connections are handed to it. */
export interface Gateway {
  /** Applies to requests that begin from now on. */
  configure(settings: GatewaySettings): void;
  accept(socket: Socket): void;
  connectionCount(): number;
  /** Answers what is in flight, says `connection: close`, and closes connections between requests. */
  drain(): void;
  closeIdleConnections(): void;
}

/** API Gateway: 10 MB a request; a function's event may have 6 MB, so this bounds what is read, not what fits. */
const BODY_BYTES_MAX = 10 * 1_024 * 1_024;

/** Lambda's limit for the event of a synchronous invocation, in bytes. */
const EVENT_BYTES_MAX = 6_291_556;

/** API Gateway allows 10,240 bytes of request line and headers; Node.js counts the separators too. */
const HEADER_BYTES_MAX = 12_288;

const CONNECTIONS_MAX = 2_000;

export function createGateway(options: GatewayOptions, initial: GatewaySettings): Gateway {
  let settings = initial;
  let routes = createRouteTable(initial.api.routes);
  let isDraining = false;
  const sockets = new Set<Socket>();

  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      if (isDraining) response.setHeader("connection", "close");
      const exchange: Exchange = { request, response, routes, ...settings };
      handle(exchange, options).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    },
  );
  // Node.js watches over slow requests from the moment a server listens, and this one never does.
  server.emit("listening");

  return {
    configure(next) {
      settings = next;
      routes = createRouteTable(next.api.routes);
    },
    accept(socket) {
      if (sockets.size >= CONNECTIONS_MAX) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.setNoDelay(true);
      server.emit("connection", socket);
    },
    connectionCount: () => sockets.size,
    drain() {
      isDraining = true;
    },
    closeIdleConnections: () => server.closeIdleConnections(),
  };
}

interface Exchange extends GatewaySettings {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly routes: RouteTable;
}

async function handle(exchange: Exchange, options: GatewayOptions): Promise<void> {
  const { request, response, api, routes } = exchange;
  const method = request.method ?? "";
  if (!isLoopbackHost(request.headers.host)) return send(exchange, refuse(api.kind, "forbidden"));
  const target = parseTarget(request.url ?? "");
  if (target === null) return send(exchange, refuse(api.kind, "badRequest"));
  if (api.cors !== null && isPreflight(method, request.headers)) {
    return send(exchange, preflightAnswer(api.cors, api.kind, request.headers.origin));
  }
  const match = findRoute(api, routes, method, target.path);
  if (match === null) return send(exchange, refuse(api.kind, "notFound"));
  const body = hasBody(request) ? await readBody(request, BODY_BYTES_MAX) : null;
  if (body === "aborted") return;
  if (body === "too-large") {
    response.setHeader("connection", "close");
    return send(exchange, refuse(api.kind, "requestTooLarge"));
  }
  invoke(exchange, options, { target, match, body });
}

/** Every request to a function URL is for its one function. */
function findRoute(
  api: ApiRuntime,
  routes: RouteTable,
  method: string,
  path: string,
): RouteMatch | null {
  const only = api.routes[0];
  if (api.kind === "http-api") return routes.match(method, path);
  if (only === undefined) return null;
  return { routeKey: "$default", function: only.function, pathParameters: null };
}

interface Call {
  readonly target: Target;
  readonly match: RouteMatch;
  readonly body: Buffer | null;
}

function invoke(exchange: Exchange, options: GatewayOptions, call: Call): void {
  const { response, api } = exchange;
  const requestId = newRequestId();
  const event = JSON.stringify(
    requestEvent({ ...exchange, ...call, requestId, nowMs: Date.now() }),
  );
  const isLarge = event.length * 3 > EVENT_BYTES_MAX && Buffer.byteLength(event) > EVENT_BYTES_MAX;
  if (isLarge) {
    send(exchange, refuse(api.kind, "requestTooLarge"));
    return;
  }
  let isAnswered = false;
  const answer = (text: Answer) => {
    if (isAnswered) return;
    isAnswered = true;
    clearTimeout(timer);
    send(exchange, text);
  };
  // A function URL waits as long as its function may run.
  const timer =
    api.kind === "http-api"
      ? setTimeout(() => answer(refuse(api.kind, "timedOut")), options.timeoutMs)
      : undefined;
  options.functions.invoke(call.match.function, {
    requestId,
    event,
    isAbandoned: () => isAnswered || response.destroyed,
    finish: (result) => {
      const text = answerTo(result, exchange, call.match.function, requestId, options.log);
      options.log.afterFlush(() => answer(text));
    },
  });
}

function answerTo(
  result: InvocationResult,
  { api }: Exchange,
  name: string,
  requestId: string,
  log: StageLog,
): Answer {
  if (result.kind === "throttled") return refuse(api.kind, "throttled");
  if (result.kind === "failed") return refuse(api.kind, "functionFailed");
  const mapped = mapFunctionResponse(result.payload, api.kind);
  if (mapped.kind === "answer") return mapped.answer;
  const message = `The response of the function cannot be sent: ${mapped.reason}`;
  log.write(Date.now(), { function: name, requestId, level: "error", message });
  return refuse(api.kind, "functionFailed");
}

function send({ request, response, api }: Exchange, plain: Answer): void {
  if (response.destroyed || response.headersSent) return;
  const isOwn = request.method === "OPTIONS" && isPreflight("OPTIONS", request.headers);
  const answer =
    api.cors === null || isOwn ? plain : withCors(plain, api.cors, request.headers.origin);
  const bytes = Buffer.byteLength(answer.body);
  const headers: string[] = [];
  for (const [name, value] of answer.headers) headers.push(name, value);
  headers.push("content-length", String(bytes));
  headers.push(
    api.kind === "http-api" ? "apigw-requestid" : "x-amzn-requestid",
    newGatewayRequestId(),
  );
  response.writeHead(answer.status, headers);
  response.end(request.method === "HEAD" ? undefined : answer.body);
}
