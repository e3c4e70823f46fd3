import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal, refusalOf } from "./refusal.ts";

/**
 * A resource with its environment and links; far above what AWS allows for an environment (4 KiB).
 */
export const JSON_BYTES_MAX = 4 * 1024 * 1024;
/** Lambda's limit for a direct upload is 50 MB. */
export const ZIP_BYTES_MAX = 64 * 1024 * 1024;

/** Reads a whole body. @throws Refusal 413 when it is longer than `limit` bytes */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) {
      throw new Refusal(413, "LOCAL_BODY_TOO_LARGE", `The body is larger than ${limit} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a JSON body. @throws Refusal 400 when it is not JSON */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, JSON_BYTES_MAX);
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new Refusal(400, "LOCAL_BODY_INVALID", "The body is not JSON");
  }
}

/** Answers with a JSON body, or with none when `body` is undefined. */
export function answer(response: ServerResponse, status: number, body?: object): void {
  if (response.headersSent || response.destroyed) return;
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** Answers a failed request; a bug is told as such and its stack goes to `log`. */
export function answerError(
  response: ServerResponse,
  error: unknown,
  log: (line: string) => void,
): void {
  const refusal = refusalOf(error);
  if (refusal !== null) {
    // What is left of a refused body is not read, so the connection cannot be used again.
    if (refusal.status === 413) response.setHeader("connection", "close");
    answer(response, refusal.status, refusal.body);
    return;
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  answer(response, 500, {
    code: "LOCAL_SERVER_FAILED",
    message: `The local cloud failed: ${error instanceof Error ? error.message : String(error)}`,
    hint: "See the server's log.",
  });
}
