/**
 * Headers for pages: everything from the same origin only, no guessing of types, no frames.
 *
 * @example
 * import { auth } from "scrim/auth";
 *
 * export const handler = async () => ({
 *   statusCode: 200,
 *   headers: { "content-type": "text/html", ...auth.securityHeaders },
 *   body: "<h1>Hello</h1>",
 * });
 */
export const securityHeaders = Object.freeze({
  "Content-Security-Policy": "default-src 'self'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
} as const);
