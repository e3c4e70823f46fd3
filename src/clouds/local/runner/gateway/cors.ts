import type { IncomingHttpHeaders } from "node:http";
import type { CorsSpec } from "../../../../components/node.ts";
import type { ApiRuntime } from "../protocol.ts";
import type { Answer } from "./answer.ts";

/** Whether a browser asks what it may do; where CORS is configured the gateway answers, not the handler. */
export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  return (
    method === "OPTIONS" &&
    headers.origin !== undefined &&
    headers["access-control-request-method"] !== undefined
  );
}

/** The answer to a preflight: 204 of an HTTP API, 200 of a function URL; bare when the origin is not allowed. */
export function preflightAnswer(
  cors: CorsSpec,
  kind: ApiRuntime["kind"],
  origin: string | undefined,
): Answer {
  const headers: (readonly [string, string])[] = [];
  const allowed = allowedOrigin(cors, origin);
  if (allowed !== null) {
    headers.push(...originHeaders(cors, allowed));
    headers.push(...listHeader("access-control-allow-methods", cors.allowMethods));
    headers.push(...listHeader("access-control-allow-headers", cors.allowHeaders));
    if (cors.maxAge !== null) headers.push(["access-control-max-age", String(cors.maxAge)]);
  }
  return { status: kind === "http-api" ? 204 : 200, headers, body: "" };
}

/** Replaces whatever CORS headers a handler wrote with the configured ones, as AWS does. */
export function withCors(answer: Answer, cors: CorsSpec, origin: string | undefined): Answer {
  const own = answer.headers.filter(([name]) => !/^access-control-/i.test(name));
  const allowed = allowedOrigin(cors, origin);
  if (allowed === null) return { ...answer, headers: own };
  const exposed = listHeader("access-control-expose-headers", cors.exposeHeaders);
  return { ...answer, headers: [...own, ...originHeaders(cors, allowed), ...exposed] };
}

/** The value of `access-control-allow-origin`, or null when the request has no origin or not an allowed one. */
function allowedOrigin(cors: CorsSpec, origin: string | undefined): string | null {
  if (origin === undefined) return null;
  if (cors.allowOrigins.includes("*")) return cors.allowCredentials ? origin : "*";
  return cors.allowOrigins.some((allowed) => originMatches(allowed, origin)) ? origin : null;
}

/** `https://*` allows every origin of that scheme. */
function originMatches(allowed: string, origin: string): boolean {
  return allowed.endsWith("://*") ? origin.startsWith(allowed.slice(0, -1)) : allowed === origin;
}

function originHeaders(cors: CorsSpec, origin: string): readonly (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [["access-control-allow-origin", origin]];
  if (origin !== "*") headers.push(["vary", "Origin"]);
  if (cors.allowCredentials) headers.push(["access-control-allow-credentials", "true"]);
  return headers;
}

function listHeader(
  name: string,
  values: readonly string[],
): readonly (readonly [string, string])[] {
  return values.length === 0 ? [] : [[name, values.join(",")]];
}
