import type { CorsSpec } from "../node.ts";
import { type Duration, durationSeconds } from "../options/duration.ts";
import { list, type Members, object, optional, type Parse } from "../options/parse.ts";
import { Place } from "../options/place.ts";
import { boolean, oneOf, text } from "../options/scalars.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

export interface CorsArgs {
  /** @default false */
  allowCredentials?: boolean;
  /** @default ["*"] */
  allowHeaders?: string[];
  /** @default ["*"] */
  allowMethods?: ("*" | HttpMethod)[];
  /** @default ["*"] */
  allowOrigins?: string[];
  /** @default [] */
  exposeHeaders?: string[];
  /** How long a browser keeps the answer to a preflight, at most a day. */
  maxAge?: Duration;
}

export interface BucketCorsArgs {
  /** @default ["*"] */
  allowHeaders?: string[];
  /** @default ["DELETE", "GET", "HEAD", "POST", "PUT"] */
  allowMethods?: BucketMethod[];
  /** @default ["*"] */
  allowOrigins?: string[];
  /** @default [] */
  exposeHeaders?: string[];
  /** How long a browser keeps the answer to a preflight, at most a day. */
  maxAge?: Duration;
}

type BucketMethod = "DELETE" | "GET" | "HEAD" | "POST" | "PUT";

const BUCKET_METHODS: readonly BucketMethod[] = ["DELETE", "GET", "HEAD", "POST", "PUT"];

/** API Gateway and function URLs take no more than a day. */
const MAX_AGE_SECONDS_MAX = 86_400;

const shared = {
  allowHeaders: optional(list(text), ["*"]),
  allowOrigins: optional(list(text), ["*"]),
  exposeHeaders: optional(list(text), []),
  maxAge: optional(durationSeconds(0, MAX_AGE_SECONDS_MAX), null),
};

const httpCors = object({
  ...shared,
  allowCredentials: optional(boolean, false),
  allowMethods: optional(
    list(oneOf("*", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")),
    ["*"],
  ),
} satisfies Members<CorsArgs>);

const bucketCors = object({
  ...shared,
  allowMethods: optional(list(oneOf(...BUCKET_METHODS)), BUCKET_METHODS),
} satisfies Members<BucketCorsArgs>);

const BUCKET_CORS_DEFAULT: CorsSpec = {
  ...bucketCors({}, new Place("cors", null)),
  allowCredentials: false,
};

/** The option `cors` of an API or function URL: on unless `false`. */
export const cors: Parse<CorsSpec | null> = (value, at) => {
  if (value === false) return null;
  const parsed = httpCors(value === undefined || value === true ? {} : value, at);
  if (parsed.allowCredentials && parsed.allowOrigins.includes("*")) {
    throw at.problem("OPTION_INVALID", `${at} allows credentials from every origin`, {
      why: "Browsers and API Gateway refuse credentials together with the origin `*`.",
      hint: "List the origins in `allowOrigins`, or leave out `allowCredentials`.",
    });
  }
  return parsed;
};

/** The option `cors` of a bucket: on unless `false`. */
export const corsOfBucket: Parse<CorsSpec | null> = (value, at) => {
  if (value === false) return null;
  // Most buckets say nothing, and what that means need not be worked out for each of thousands.
  if (value === undefined || value === true) return { ...BUCKET_CORS_DEFAULT };
  return { ...bucketCors(value, at), allowCredentials: false };
};
