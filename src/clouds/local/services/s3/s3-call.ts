import type { Payload } from "./body/payload.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { S3Store } from "./s3-store.ts";

/** One authenticated request, ready for its operation. */
export interface S3Call {
  readonly store: S3Store;
  readonly region: string;
  /** Empty for operations on the service. */
  readonly bucket: string;
  /** Decoded; empty for operations on a bucket. */
  readonly key: string;
  /** The first of each name. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: RequestHeaders;
  readonly payload: Payload;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

export interface S3Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array> | null;
  /** Called when the body is sent or given up. */
  readonly release?: () => void;
}

/** One API operation. Throws an S3Error to refuse. */
export type S3Operation = (call: S3Call) => Promise<S3Reply>;

export function xmlReply(body: string, headers: S3Reply["headers"] = {}): S3Reply {
  return { status: 200, headers: { "content-type": "application/xml", ...headers }, body };
}

export function emptyReply(status: number, headers: S3Reply["headers"] = {}): S3Reply {
  return { status, headers, body: null };
}
