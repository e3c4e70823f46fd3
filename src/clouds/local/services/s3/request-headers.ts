import type { IncomingHttpHeaders } from "node:http";
import type { RequestTarget } from "../sigv4/request-target.ts";

/**
 * A request's headers as text. In a presigned URL every `x-amz-*` parameter stands for a header,
 * checksums excepted: S3 does not check those in presigned URLs (its user guide, "Using presigned
 * URLs"), and the SDK's default puts the checksum of an empty body there.
 */
export class RequestHeaders {
  readonly #headers: IncomingHttpHeaders;
  readonly #hoisted: ReadonlyMap<string, string>;

  constructor(headers: IncomingHttpHeaders, query: RequestTarget["query"], presigned: boolean) {
    this.#headers = headers;
    const hoisted = presigned ? query.filter(([name]) => isHeader(name.toLowerCase())) : [];
    this.#hoisted = new Map(hoisted.map(([name, value]) => [name.toLowerCase(), value]));
  }

  /** Null when absent. Node reads header bytes as Latin-1; clients send UTF-8. */
  get(name: string): string | null {
    const value = this.#headers[name];
    if (value === undefined) return this.#hoisted.get(name) ?? null;
    const text = Array.isArray(value) ? value.join(",") : value;
    return Buffer.from(text, "latin1").toString("utf8");
  }

  /** Names and values of those that start with `prefix`. */
  startingWith(prefix: string): readonly (readonly [name: string, value: string])[] {
    const names = new Set([...Object.keys(this.#headers), ...this.#hoisted.keys()]);
    return [...names]
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, this.get(name) ?? ""] as const);
  }
}

function isHeader(name: string): boolean {
  if (!name.startsWith("x-amz-") || name.startsWith("x-amz-checksum-")) return false;
  return name !== "x-amz-sdk-checksum-algorithm" && !SIGNATURE_PARAMETERS.has(name);
}

const SIGNATURE_PARAMETERS: ReadonlySet<string> = new Set([
  "x-amz-algorithm",
  "x-amz-content-sha256",
  "x-amz-credential",
  "x-amz-date",
  "x-amz-expires",
  "x-amz-security-token",
  "x-amz-signature",
  "x-amz-signedheaders",
]);
