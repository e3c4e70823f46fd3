import type { IncomingMessage } from "node:http";

/**
 * What lets a page read the answer. Cognito lets every page; here only pages of this machine, such
 * as a front end's development server, since the answers come from this machine too.
 */
export function corsHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const { origin } = request.headers;
  if (origin === undefined || !isLoopbackOrigin(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "x-amzn-requestid,x-amzn-errortype,date",
    vary: "origin",
  };
}

/** What scripts send to the API, the SDK's own headers among it. */
const SENT_HEADERS = [
  ...["authorization", "cache-control", "content-type", "x-amz-target", "x-amz-user-agent"],
  ...["amz-sdk-invocation-id", "amz-sdk-request"],
];

/** What answers the preflight of such a page. */
export function preflightHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const allowed = corsHeaders(request);
  if (allowed["access-control-allow-origin"] === undefined) return {};
  return {
    ...allowed,
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": SENT_HEADERS.join(", "),
    "access-control-max-age": "600",
  };
}

function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9.-]+\.localhost)(:\d{1,5})?$/.test(
    origin,
  );
}
