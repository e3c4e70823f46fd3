import type { IncomingMessage } from "node:http";
import type { UserPool } from "../pools/user-pool.ts";
import { basePath } from "./hosted-call.ts";

/** Holds who is signed in on the pages. */
export const SESSION_COOKIE = "cognito";
/** Holds what every form of the pages repeats. */
export const FORM_COOKIE = "XSRF-TOKEN";

/** The value of a cookie of the request, or null. */
export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name && value !== undefined && value !== "") return value;
  }
  return null;
}

/**
 * A cookie for the pages of one pool that no script sees. Not `Secure`: the local cloud speaks
 * plain HTTP on the loopback interface.
 *
 * @param maxAgeSeconds 0 deletes it
 */
export function setCookie(
  pool: UserPool,
  name: string,
  value: string,
  maxAgeSeconds: number,
): string {
  const scope = `Path=${basePath(pool)}/; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${scope}; HttpOnly; SameSite=Lax`;
}
