import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AuthProblem } from "./auth-problem.ts";
import { encodeRfc3986, type RequestTarget } from "./request-target.ts";

export interface CanonicalRequestParts {
  readonly method: string;
  readonly target: RequestTarget;
  readonly headers: IncomingHttpHeaders;
  readonly signedHeaders: readonly string[];
  /** 64 hex digits or one of the words AWS defines, such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

/**
 * SHA-256 (hex) of the canonical request of Signature Version 4. @throws AuthProblem `malformed`
 */
export function hashCanonicalRequest(parts: CanonicalRequestParts): string {
  const lines = [
    parts.method,
    canonicalPath(parts.target.rawPath),
    canonicalQuery(parts.target.query),
    ...parts.signedHeaders.map((name) => `${name}:${canonicalHeader(parts.headers, name)}`),
    "",
    parts.signedHeaders.join(";"),
    parts.payloadHash,
  ];
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** Encoded once, as S3 does; for other services the path is `/` and the same either way. */
function canonicalPath(rawPath: string): string {
  return rawPath
    .split("/")
    .map((segment) => encodeRfc3986(decodeURIComponent(segment)))
    .join("/");
}

function canonicalQuery(query: RequestTarget["query"]): string {
  return query
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Node reads header bytes as Latin-1; signers hash them as the UTF-8 that they sent. */
function canonicalHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value !== "string" && !Array.isArray(value))
    throw new AuthProblem("malformed", `The signed header ${name} is not in the request`);
  const text = Array.isArray(value) ? value.join(",") : value;
  return Buffer.from(text, "latin1").toString("utf8").trim().replace(/ +/g, " ");
}
