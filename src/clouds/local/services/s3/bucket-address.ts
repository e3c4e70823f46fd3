import type { IncomingMessage } from "node:http";
import { parseRequestTarget } from "../sigv4/request-target.ts";
import { S3Error } from "./s3-error.ts";

/** Which bucket and key a request names; empty where it names none. */
export interface BucketAddress {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Reads bucket and key from the path (`/bucket/key`), or, when the host is `<bucket>.localhost`,
 * the key alone. Dots and slashes in keys mean nothing.
 *
 * @throws S3Error `InvalidURI` when the path is not percent-encoded UTF-8
 */
export function parseBucketAddress(host: string | undefined, rawPath: string): BucketAddress {
  const virtual = virtualHostBucket(host);
  const path = rawPath.slice(1);
  if (virtual !== null) return { bucket: virtual, key: decode(path) };
  const at = path.indexOf("/");
  if (at < 0) return { bucket: decode(path), key: "" };
  return { bucket: decode(path.slice(0, at)), key: decode(path.slice(at + 1)) };
}

/** The bucket that a request names, or null; never throws. */
export function bucketOf(request: IncomingMessage): string | null {
  try {
    const { rawPath } = parseRequestTarget(request.url ?? "/");
    return parseBucketAddress(request.headers.host, rawPath).bucket || null;
  } catch {
    return null;
  }
}

function virtualHostBucket(host: string | undefined): string | null {
  const name = (host ?? "").replace(/:\d+$/, "").toLowerCase();
  return name.endsWith(".localhost") ? name.slice(0, -".localhost".length) : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, "InvalidURI", "Couldn't parse the specified URI.");
  }
}
