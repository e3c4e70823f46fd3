import { sign, verify } from "node:crypto";
import type { JsonObject } from "../../../../../model/json.ts";
import type { SigningKey } from "./signing-keys.ts";

/** Longer than any token of ours. */
const TOKEN_LENGTH_MAX = 8192;

/** A compact token, signed with RS256. */
export function signToken(key: SigningKey, claims: JsonObject): string {
  const content = `${encode({ kid: key.id, alg: "RS256" })}.${encode(claims)}`;
  const signature = sign("RSA-SHA256", Buffer.from(content), key.privateKey);
  return `${content}.${signature.toString("base64url")}`;
}

/**
 * The claims of a token that the key has signed; null for any other text. Times are not checked.
 */
export function openToken(key: SigningKey, token: string): JsonObject | null {
  const [header, claims, signature, ...more] = splitToken(token);
  if (header === undefined || claims === undefined || signature === undefined) return null;
  const { kid, alg } = decode(header) ?? {};
  if (more.length > 0 || kid !== key.id || alg !== "RS256") return null;
  const content = Buffer.from(`${header}.${claims}`);
  const isOurs = verify("RSA-SHA256", content, key.publicKey, Buffer.from(signature, "base64url"));
  return isOurs ? decode(claims) : null;
}

/** What a token says before anything of it is checked: good for finding its pool, nothing else. */
export function peekClaims(token: string): JsonObject | null {
  const [, claims] = splitToken(token);
  return claims === undefined ? null : decode(claims);
}

function splitToken(token: string): readonly string[] {
  const isPlausible = token.length <= TOKEN_LENGTH_MAX && /^[A-Za-z0-9_.-]+$/.test(token);
  return isPlausible ? token.split(".") : [];
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as JsonObject;
  } catch {
    // What is not JSON says nothing.
  }
  return null;
}
