import type { IncomingHttpHeaders } from "node:http";
import { AuthProblem } from "./auth-problem.ts";
import type { RequestTarget } from "./request-target.ts";

/**
 * What a request says about its own signature, from the Authorization header or the query. Nothing
 * is checked yet.
 */
export interface SignedRequest {
  readonly accessKeyId: string;
  /** The scope's day, `YYYYMMDD`. */
  readonly day: string;
  readonly region: string;
  /** For example `s3`. */
  readonly service: string;
  readonly signedHeaders: readonly string[];
  /** 64 hex digits. */
  readonly signature: string;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly timestamp: string;
  /** Seconds that a presigned URL is valid; null for a signed header. */
  readonly expiresSeconds: number | null;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
/** Seven days, the longest that AWS lets a presigned URL live. */
const EXPIRES_SECONDS_MAX = 604_800;

/** @throws AuthProblem `missing` or `malformed` */
export function readSignedRequest(
  headers: IncomingHttpHeaders,
  query: RequestTarget["query"],
): SignedRequest {
  const presigned = query.some(([name]) => name === "X-Amz-Algorithm");
  const header = headers.authorization;
  if (presigned && header !== undefined)
    throw new AuthProblem("malformed", "Only one auth mechanism is allowed in a request");
  if (presigned) return readPresigned(new Map(query));
  if (header === undefined) throw new AuthProblem("missing", "The request is not signed");
  return readHeader(header, headers["x-amz-date"]);
}

function readPresigned(query: ReadonlyMap<string, string>): SignedRequest {
  const value = (name: string): string => {
    const found = query.get(name);
    if (found === undefined || found === "")
      throw new AuthProblem("malformed", `The query lacks ${name}`);
    return found;
  };
  if (value("X-Amz-Algorithm") !== ALGORITHM)
    throw new AuthProblem("malformed", `X-Amz-Algorithm must be ${ALGORITHM}`);
  const expires = value("X-Amz-Expires");
  const expiresSeconds = /^\d{1,7}$/.test(expires) ? Number(expires) : Number.NaN;
  if (!(expiresSeconds >= 1 && expiresSeconds <= EXPIRES_SECONDS_MAX))
    throw new AuthProblem("malformed", `X-Amz-Expires must be from 1 to ${EXPIRES_SECONDS_MAX}`);
  return {
    ...readCredential(value("X-Amz-Credential")),
    signedHeaders: value("X-Amz-SignedHeaders").split(";"),
    signature: readSignature(value("X-Amz-Signature")),
    timestamp: readTimestamp(value("X-Amz-Date")),
    expiresSeconds,
  };
}

function readHeader(header: string, date: string | string[] | undefined): SignedRequest {
  const [algorithm, rest] = splitOnce(header.trim(), " ");
  if (algorithm !== ALGORITHM)
    throw new AuthProblem("malformed", `The authorization mechanism must be ${ALGORITHM}`);
  const parts = new Map(rest.split(",").map((part) => splitOnce(part.trim(), "=")));
  const value = (name: string): string => {
    const found = parts.get(name);
    if (found === undefined || found === "")
      throw new AuthProblem("malformed", `The Authorization header lacks ${name}`);
    return found;
  };
  return {
    ...readCredential(value("Credential")),
    signedHeaders: value("SignedHeaders").split(";"),
    signature: readSignature(value("Signature")),
    timestamp: readTimestamp(typeof date === "string" ? date : ""),
    expiresSeconds: null,
  };
}

/** `<access key id>/<day>/<region>/<service>/aws4_request`; the key id itself may hold slashes. */
function readCredential(
  text: string,
): Pick<SignedRequest, "accessKeyId" | "day" | "region" | "service"> {
  const parts = text.split("/");
  const [day, region, service, terminator] = parts.slice(-4);
  const accessKeyId = parts.slice(0, -4).join("/");
  if (accessKeyId === "" || !day || !region || !service || terminator !== "aws4_request")
    throw new AuthProblem(
      "malformed",
      "The credential must be <key>/<day>/<region>/<service>/aws4_request",
    );
  return { accessKeyId, day, region, service };
}

function readSignature(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new AuthProblem("malformed", "The signature is not 64 hex digits");
}

function readTimestamp(text: string): string {
  if (/^\d{8}T\d{6}Z$/.test(text)) return text;
  throw new AuthProblem("malformed", "X-Amz-Date is missing or not of the form YYYYMMDDTHHMMSSZ");
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
