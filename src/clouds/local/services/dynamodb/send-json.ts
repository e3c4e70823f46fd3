import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { crc32 } from "node:zlib";
import type { DynamodbError } from "./dynamodb-error.ts";

/** Sends an answer. A client that goes away early is no error. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  value: unknown,
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "content-length": body.length,
    // SDKs compare this one with the body.
    "x-amz-crc32": String(crc32(body)),
    "x-amzn-requestid": randomBytes(26).toString("hex").toUpperCase(),
  });
  response.end(body);
  // What is left of a refused body must be read, or the client never gets to read the answer.
  request.resume();
}

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: DynamodbError,
): void {
  sendJson(request, response, error.status, {
    __type: error.type,
    // DynamoDB spells it with a capital letter in validation errors; SDKs read both.
    message: error.message,
    ...error.details,
  });
}
