import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/** A request to an issuer. */
export interface TextRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Longest body that is read. */
  readonly bytesMax: number;
  /** For all of it: connecting, waiting, reading. */
  readonly timeoutMs: number;
}

/** The answer to a {@link TextRequest}. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Parses an address that keys or tokens go through: https, or http on this machine, where nobody listens in.
 *
 * @param what for the message, such as `jwksUri`
 * @throws TypeError
 */
export function issuerUrl(what: string, value: unknown): URL {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  if (url === null) throw new TypeError(`${what} is not an absolute address`);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw new TypeError(`${what} must begin with https:// (http:// is for this machine only)`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`${what} must not have a user name or password`);
  }
  url.hash = "";
  return url;
}

/** URL has normalized the host, so 0x7f.1 and the like arrive here as 127.0.0.1. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Sends one request. Redirects are not followed: their answer is the answer. Certificates are always checked.
 *
 * @throws Error with a reason that holds nothing of the request but its host
 */
export function fetchText(request: TextRequest): Promise<TextAnswer> {
  const { url, method, body } = request;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(request.timeoutMs);
    const fail = (reason: string) => reject(new Error(`${url.host} ${reason}`));
    const outgoing = send(url, {
      method,
      headers: { accept: "application/json", "accept-encoding": "identity", ...request.headers },
      agent: false,
      rejectUnauthorized: true,
      signal,
    });
    outgoing.on("error", (error) => {
      fail(signal.aborted ? "did not answer in time" : `could not be reached: ${codeOf(error)}`);
    });
    outgoing.on("response", (incoming) => {
      readText(incoming, request.bytesMax)
        .then((text) => resolve({ status: incoming.statusCode ?? 0, text }))
        .catch(() => {
          fail(signal.aborted ? "did not answer in time" : "sent a body that cannot be used");
        })
        .finally(() => outgoing.destroy());
    });
    outgoing.end(body);
  });
}

async function readText(incoming: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error("too long");
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
