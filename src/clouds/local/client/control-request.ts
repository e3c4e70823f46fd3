import { Agent, type IncomingMessage, request } from "node:http";
import type { ServerInfo } from "../control-api.ts";

export interface ControlRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: Uint8Array | string;
  /** Value of `scrim-epoch`. */
  readonly epoch?: string;
  /** Bound for the whole answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ControlResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Nobody listens, or the server went away before it answered: the same request can be sent to its
 * successor.
 */
export class ServerGone extends Error {
  override readonly name = "ServerGone";
}

/** The server is there and does not answer in time. */
export class ServerSilent extends Error {
  override readonly name = "ServerSilent";
}

/** Connections are kept for the next request; the server lets idle ones go. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Longest answer that is read: the list of a stage's resources. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Sends one request to a server.
 *
 * @throws ServerGone, ServerSilent, or the signal's reason
 */
export function sendControlRequest(
  server: ServerInfo,
  sent: ControlRequest,
): Promise<ControlResponse> {
  sent.signal.throwIfAborted();
  const timeout = AbortSignal.timeout(sent.timeoutMs);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        socketPath: server.socket,
        method: sent.method,
        path: sent.path,
        signal: AbortSignal.any([sent.signal, timeout]),
        headers: {
          authorization: `Bearer ${server.token}`,
          ...(sent.epoch === undefined ? {} : { "scrim-epoch": sent.epoch }),
          ...(sent.body === undefined ? {} : { "content-length": Buffer.byteLength(sent.body) }),
        },
      },
      (response) => {
        readText(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, text }),
          (error: unknown) => reject(causeOf(error, sent.signal, timeout)),
        );
      },
    );
    outgoing.once("error", (error) => reject(causeOf(error, sent.signal, timeout)));
    outgoing.end(sent.body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function causeOf(error: unknown, signal: AbortSignal, timeout: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (timeout.aborted) return new ServerSilent("no answer in time");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const gone = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"];
  return gone.includes(code) ? new ServerGone(code) : error;
}
