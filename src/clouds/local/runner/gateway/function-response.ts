import { validateHeaderName, validateHeaderValue } from "node:http";
import type { ApiRuntime } from "../protocol.ts";
import type { Answer } from "./answer.ts";

/** What became of a function's payload: an answer, or a sentence that says why there is none. */
export type Mapped =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "invalid"; readonly reason: string };

/**
 * Reads a function's payload as API Gateway does for format 2.0: an object with `statusCode` describes the
 * response, anything else is the body of a 200 in JSON. A string alone stands without its quotes in an HTTP API
 * and with them in a function URL.
 *
 * @param payload the JSON text of what the handler returned
 */
export function mapFunctionResponse(payload: string, kind: ApiRuntime["kind"]): Mapped {
  const value: unknown = JSON.parse(payload);
  if (isRecord(value) && value["statusCode"] !== undefined) return mapDescribed(value, kind);
  const body = typeof value === "string" && kind === "http-api" ? value : payload;
  return {
    kind: "answer",
    answer: { status: 200, headers: [["content-type", "application/json"]], body },
  };
}

function mapDescribed(value: Readonly<Record<string, unknown>>, kind: ApiRuntime["kind"]): Mapped {
  const status = statusOf(value["statusCode"]);
  if (status === null) return invalid("statusCode must be a whole number from 200 to 599");
  const body = value["body"] ?? "";
  if (typeof body !== "string") {
    return invalid(`body must be a string, not ${nameOf(body)}; use JSON.stringify`);
  }
  const headers = headersOf(value["headers"] ?? {}, kind);
  if (typeof headers === "string") return invalid(headers);
  const cookies = cookiesOf(value["cookies"] ?? []);
  if (typeof cookies === "string") return invalid(cookies);
  const bytes = value["isBase64Encoded"] === true ? Buffer.from(body, "base64") : body;
  return { kind: "answer", answer: { status, headers: [...headers, ...cookies], body: bytes } };
}

function statusOf(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) return null;
  return number >= 200 && number <= 599 ? number : null;
}

/** Belong to the connection or are computed, so a handler's word on them is dropped (RFC 9110, section 7.6.1). */
const DROPPED = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

type HeaderList = readonly (readonly [string, string])[];

/** What a response without a content type is said to be. */
const DEFAULT_TYPE: Readonly<Record<ApiRuntime["kind"], string>> = {
  "http-api": "text/plain; charset=utf-8",
  "function-url": "application/json",
};

/** The headers, the last of those that differ only in case; or what is wrong with them. */
function headersOf(value: unknown, kind: ApiRuntime["kind"]): HeaderList | string {
  if (!isRecord(value)) return `headers must be an object, not ${nameOf(value)}`;
  const byName = new Map<string, readonly [string, string]>();
  for (const [name, given] of Object.entries(value)) {
    if (given === null || given === undefined) continue;
    const text = scalarText(given);
    if (text === null) return `header ${name} must be a string, not ${nameOf(given)}`;
    if (!isValidHeader(name, text)) return `header ${name} has a character that HTTP forbids`;
    const key = name.toLowerCase();
    if (!DROPPED.has(key)) byName.set(key, [name, text]);
  }
  if (!byName.has("content-type")) {
    byName.set("content-type", ["content-type", DEFAULT_TYPE[kind]]);
  }
  return [...byName.values()];
}

function cookiesOf(value: unknown): HeaderList | string {
  if (!Array.isArray(value)) return `cookies must be a list, not ${nameOf(value)}`;
  const headers: (readonly [string, string])[] = [];
  for (const cookie of value) {
    if (typeof cookie !== "string") return `a cookie must be a string, not ${nameOf(cookie)}`;
    if (!isValidHeader("set-cookie", cookie)) return "a cookie has a character that HTTP forbids";
    headers.push(["set-cookie", cookie]);
  }
  return headers;
}

function scalarText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

function isValidHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

function invalid(reason: string): Mapped {
  return { kind: "invalid", reason };
}
