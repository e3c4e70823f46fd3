import type { IncomingHttpHeaders } from "node:http";
import type { CorsSpec } from "../../../../components/node.ts";
import { S3Error } from "./s3-error.ts";

/**
 * Headers that let the page that sent a request read the answer; none when the request comes from
 * no page or the bucket's rules do not allow it.
 */
export function corsHeaders(
  cors: CorsSpec | null,
  method: string,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  const origin = headers.origin;
  if (origin === undefined || cors === null) return {};
  const allowed = allowOrigin(cors, origin);
  if (allowed === null || !allowsMethod(cors, method)) return {};
  return {
    "access-control-allow-origin": allowed,
    "access-control-allow-methods": cors.allowMethods.join(", "),
    ...(cors.exposeHeaders.length === 0
      ? {}
      : { "access-control-expose-headers": cors.exposeHeaders.join(", ") }),
    ...(allowed === "*" ? {} : { "access-control-allow-credentials": "true" }),
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

/**
 * The answer to a browser's preflight.
 *
 * @throws S3Error `AccessForbidden` (403) when the bucket's rules do not allow what the page wants
 */
export function preflightHeaders(
  cors: CorsSpec | null,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  const method = headers["access-control-request-method"];
  if (headers.origin === undefined || method === undefined)
    throw new S3Error(
      400,
      "BadRequest",
      "Insufficient information. Origin and Access-Control-Request-Method headers are needed.",
    );
  if (cors === null) throw forbidden("CORSResponse: CORS is not enabled for this bucket.");
  const allowed = corsHeaders(cors, method, headers);
  const wanted = splitNames(headers["access-control-request-headers"]);
  if (allowed["access-control-allow-origin"] === undefined || !allowsHeaders(cors, wanted))
    throw forbidden("CORSResponse: This CORS request is not allowed.");
  return {
    ...allowed,
    ...(wanted.length === 0 ? {} : { "access-control-allow-headers": wanted.join(", ") }),
    ...(cors.maxAge === null ? {} : { "access-control-max-age": String(cors.maxAge) }),
  };
}

/** `*` where any origin may ask, else the origin itself; null when it may not. */
function allowOrigin(cors: CorsSpec, origin: string): string | null {
  if (cors.allowOrigins.includes("*")) return "*";
  return cors.allowOrigins.some((pattern) => matchesPattern(pattern, origin)) ? origin : null;
}

function allowsMethod(cors: CorsSpec, method: string): boolean {
  return cors.allowMethods.includes("*") || cors.allowMethods.includes(method);
}

function allowsHeaders(cors: CorsSpec, wanted: readonly string[]): boolean {
  return wanted.every((name) =>
    cors.allowHeaders.some((pattern) => matchesPattern(pattern.toLowerCase(), name)),
  );
}

/** S3 allows one `*` in a pattern, for any text. */
function matchesPattern(pattern: string, text: string): boolean {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === text;
  const head = pattern.slice(0, at);
  const tail = pattern.slice(at + 1);
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

function splitNames(header: string | undefined): readonly string[] {
  return (header ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
}

function forbidden(message: string): S3Error {
  return new S3Error(403, "AccessForbidden", message);
}
