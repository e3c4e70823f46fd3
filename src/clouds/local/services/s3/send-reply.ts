import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3Reply } from "./s3-call.ts";
import { S3Error } from "./s3-error.ts";
import { writeXml } from "./xml.ts";

/** What every answer carries. */
export interface ReplyFrame {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sent with errors, too, so that a page can read them. */
  readonly corsHeaders: Readonly<Record<string, string>>;
}

/** Sends an answer; a client that goes away early is no error. Never rejects. */
export async function sendReply(frame: ReplyFrame, reply: S3Reply): Promise<void> {
  const { request, response } = frame;
  try {
    const headers = { ...reply.headers, ...frame.corsHeaders, ...requestIds() };
    const text = typeof reply.body === "string" ? Buffer.from(reply.body) : null;
    for (const [name, value] of Object.entries(headers))
      response.setHeader(name, Buffer.from(value, "utf8").toString("latin1"));
    if (text !== null) response.setHeader("content-length", text.length);
    response.statusCode = reply.status;
    if (reply.body === null || typeof reply.body === "string" || request.method === "HEAD")
      response.end(request.method === "HEAD" ? undefined : (text ?? undefined));
    else await pipeline(Readable.from(reply.body), response);
  } catch {
    // Too late for an error document: the client sees a connection that ends before the announced
    // length.
    response.destroy();
  } finally {
    reply.release?.();
    // What is left of a refused body must be read, or the client never gets to read the answer.
    request.resume();
  }
}

/** Sends an error as a document; anything but an S3Error is a bug of ours and answered as such. */
export async function sendError(frame: ReplyFrame, error: unknown): Promise<void> {
  const known = error instanceof S3Error ? error : internalError(error);
  const body = errorDocument(known, frame.request.url ?? "");
  const hasBody = known.status !== 304;
  await sendReply(frame, {
    status: known.status,
    headers: { "content-type": "application/xml" },
    body: hasBody ? body : null,
  });
}

function errorDocument(error: S3Error, url: string): string {
  return writeXml(
    "Error",
    [
      ["Code", error.code],
      ["Message", error.message],
      ...Object.entries(error.details),
      ["Resource", url.split("?")[0] ?? ""],
      ["RequestId", requestId()],
    ],
    false,
  );
}

function internalError(error: unknown): S3Error {
  const isFull =
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOSPC" || error.code === "SQLITE_FULL");
  const message = isFull
    ? "The disk that holds the local cloud's data is full. Please try again."
    : "We encountered an internal error. Please try again.";
  return new S3Error(500, "InternalError", message);
}

function requestIds(): Record<string, string> {
  return { "x-amz-request-id": requestId(), "x-amz-id-2": requestId() };
}

function requestId(): string {
  return randomBytes(8).toString("hex").toUpperCase();
}
