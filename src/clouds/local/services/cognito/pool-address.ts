import type { IncomingMessage } from "node:http";

/** Where a request lies below the path of a user pool. */
export interface PoolAddress {
  readonly poolId: string;
  /** Below the pool's, with a slash in front. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

export const TARGET_PREFIX = "AWSCognitoIdentityProviderService.";

/**
 * Which pool a request's path lies below; null for none. A bucket has no underscore in its name, so
 * no path of S3 looks like it, except where the bucket stands in the host name.
 */
export function poolInPath(url: string): PoolAddress | null {
  const match = /^\/([a-z0-9-]{1,32}_[A-Za-z0-9]{9})(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url);
  if (match === null) return null;
  const [, poolId = "", path = "/", query = ""] = match;
  return { poolId, path, query };
}

/** The operation of the JSON API that a request names, or null when it names none. */
export function operationOf(request: IncomingMessage): string | null {
  const target = request.headers["x-amz-target"];
  return typeof target === "string" && target.startsWith(TARGET_PREFIX)
    ? target.slice(TARGET_PREFIX.length)
    : null;
}

/** Whether a browser asks if a page may call the JSON API. */
export function isApiPreflight(request: IncomingMessage): boolean {
  const asked = request.headers["access-control-request-headers"] ?? "";
  return request.method === "OPTIONS" && /(^|[, ])x-amz-target($|[, ])/i.test(asked);
}
