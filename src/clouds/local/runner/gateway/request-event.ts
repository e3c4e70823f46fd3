import type { IncomingMessage } from "node:http";
import type { ApiRuntime } from "../protocol.ts";
import { newGatewayRequestId, newTraceId } from "./request-id.ts";
import type { RouteMatch } from "./route-table.ts";
import { queryParameters, type Target } from "./target.ts";

export interface EventSource {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly match: RouteMatch;
  readonly api: ApiRuntime;
  readonly account: string;
  readonly region: string;
  readonly body: Buffer | null;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * The event a handler gets: payload format 2.0. Members without a value are left out, as AWS leaves them out.
 * An HTTP API decodes the path and takes the cookies out of the headers; a function URL does neither.
 * The scheme and the port in `x-forwarded-*` are the true ones, so that addresses built from them work.
 */
export function requestEvent(source: EventSource): Readonly<Record<string, unknown>> {
  const { request, target, match, api, body } = source;
  const isHttpApi = api.kind === "http-api";
  const { headers, cookies } = headersOf(request, api, isHttpApi);
  const rawPath = isHttpApi ? target.path : target.encodedPath;
  const parameters = queryParameters(target.query);
  const isBase64Encoded = body !== null && !isText(headers);
  return {
    version: "2.0",
    routeKey: match.routeKey,
    rawPath,
    rawQueryString: target.query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(parameters !== null && { queryStringParameters: parameters }),
    requestContext: requestContext(source, rawPath),
    ...(match.pathParameters !== null && { pathParameters: match.pathParameters }),
    ...(body !== null && { body: body.toString(isBase64Encoded ? "base64" : "utf8") }),
    isBase64Encoded,
  };
}

function requestContext(source: EventSource, path: string): Readonly<Record<string, unknown>> {
  const { request, api, nowMs } = source;
  const service = api.kind === "http-api" ? "execute-api" : "lambda-url";
  const suffix = api.kind === "http-api" ? "amazonaws.com" : "on.aws";
  return {
    accountId: api.kind === "http-api" ? source.account : "anonymous",
    apiId: api.id,
    domainName: `${api.id}.${service}.${source.region}.${suffix}`,
    domainPrefix: api.id,
    http: {
      method: request.method ?? "",
      path,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? "127.0.0.1",
      userAgent: request.headers["user-agent"] ?? "",
    },
    requestId: api.kind === "http-api" ? newGatewayRequestId() : source.requestId,
    routeKey: source.match.routeKey,
    stage: "$default",
    time: logTime(nowMs),
    timeEpoch: nowMs,
  };
}

/** Lower-case names, values of a repeated name joined by commas, with what a gateway adds on the way. */
function headersOf(
  request: IncomingMessage,
  api: ApiRuntime,
  isHttpApi: boolean,
): { readonly headers: Record<string, string>; readonly cookies: readonly string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  const raw = request.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    const value = raw[index + 1] ?? "";
    if (name === "cookie") cookies.push(...cookiesOf(value));
    if (name === "cookie" && isHttpApi) continue;
    const earlier = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  const client = request.socket.remoteAddress ?? "127.0.0.1";
  const via = headers["x-forwarded-for"];
  headers["x-forwarded-for"] = via === undefined ? client : `${via}, ${client}`;
  headers["x-forwarded-port"] = String(api.port);
  headers["x-forwarded-proto"] = "http";
  headers["x-amzn-trace-id"] ??= newTraceId();
  if (isHttpApi) headers["content-length"] ??= "0";
  return { headers, cookies };
}

function cookiesOf(header: string): readonly string[] {
  return header
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== "");
}

/** Only these media types arrive as text; forms arrive as base64, which surprises people on AWS just the same. */
const TEXT =
  /^(?:text\/|application\/(?:json|javascript|xml)\b|application\/[^;\s]*\+(?:json|xml)\b)/i;

function isText(headers: Readonly<Record<string, string>>): boolean {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return false;
  const type = headers["content-type"];
  return type === undefined || TEXT.test(type.trim());
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
let lastSecond = -1;
let lastText = "";

/** `12/Mar/2020:19:03:58 +0000`; kept for the second it holds, because it is asked for at every request. */
function logTime(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000);
  if (second === lastSecond) return lastText;
  const iso = new Date(nowMs).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1];
  lastSecond = second;
  lastText = `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
  return lastText;
}
