import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../../model/json.ts";
import type { CognitoError } from "./cognito-error.ts";
import { corsHeaders } from "./cors.ts";

/** Sends an answer of the JSON API. A client that goes away early is no error. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  value: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.1",
    "content-length": body.length,
    "cache-control": "no-store",
    "x-amzn-requestid": randomUUID(),
    ...corsHeaders(request),
    ...headers,
  });
  response.end(body);
  // What is left of a refused body must be read, or the client never gets to read the answer.
  request.resume();
}

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: CognitoError,
): void {
  const { type, message } = error;
  sendJson(
    request,
    response,
    error.status,
    { __type: type, message },
    { "x-amzn-errortype": `${type}:` },
  );
}
