import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Denied } from "../auth/authorize.ts";

/**
 * A refusal without what a gateway cannot send: a mistake in one header must not turn a refusal into a failure. Body and
 * headers that can be sent are passed on as they are.
 */
export function sendableRefusal(access: Denied): Denied {
  const { statusCode, body } = access;
  const { headers, cookies, isBase64Encoded }: Readonly<Record<string, unknown>> = { ...access };
  const encoded = isBase64Encoded === true && { isBase64Encoded };
  return { statusCode, body, headers: headersOf(headers), cookies: cookiesOf(cookies), ...encoded };
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) return {};
  const sendable = Object.entries(headers).filter(
    ([name, value]) => isScalar(value) && isSendable(name, String(value)),
  );
  return Object.fromEntries(sendable.map(([name, value]) => [name, String(value)]));
}

function cookiesOf(cookies: unknown): readonly string[] {
  if (!Array.isArray(cookies)) return [];
  return cookies.filter((cookie) => typeof cookie === "string" && isSendable("set-cookie", cookie));
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
