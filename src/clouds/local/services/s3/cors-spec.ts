import type { CorsSpec } from "../../../../components/node.ts";
import { fail } from "../../../../model/diagnostic.ts";

/**
 * Reads a bucket's CORS rules from a resource's spec or from the disk; null and absent mean that
 * browsers of other origins may do nothing.
 *
 * @throws DiagnosticError `BUCKET_CORS_INVALID`
 */
export function parseCorsSpec(value: unknown): CorsSpec | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") throw invalid("it is not an object");
  const members = new Map<string, unknown>(Object.entries(value));
  const credentials = members.get("allowCredentials") ?? false;
  if (typeof credentials !== "boolean") throw invalid("allowCredentials is not a boolean");
  const maxAge = members.get("maxAge") ?? null;
  if (maxAge !== null && typeof maxAge !== "number") throw invalid("maxAge is not a number");
  return {
    allowOrigins: parseTexts(members, "allowOrigins"),
    allowMethods: parseTexts(members, "allowMethods"),
    allowHeaders: parseTexts(members, "allowHeaders"),
    exposeHeaders: parseTexts(members, "exposeHeaders"),
    allowCredentials: credentials,
    maxAge,
  };
}

function parseTexts(members: ReadonlyMap<string, unknown>, name: string): readonly string[] {
  const value = members.get(name) ?? [];
  if (!Array.isArray(value)) throw invalid(`${name} is not a list`);
  return value.map((entry: unknown) => {
    if (typeof entry !== "string") throw invalid(`${name} holds something that is not a text`);
    return entry;
  });
}

function invalid(why: string) {
  return fail("BUCKET_CORS_INVALID", "The CORS rules of a bucket cannot be read", {
    why: `In the rules, ${why}.`,
  });
}
