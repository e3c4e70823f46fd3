import type { ApiRuntime } from "../protocol.ts";

/** A whole response, before the headers that every response of an API gets. */
export interface Answer {
  readonly status: number;
  /** Names as the handler wrote them; a name occurs twice only for `set-cookie`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Buffer;
}

/** What a gateway says by itself. */
export type Refusal =
  | "badRequest"
  | "forbidden"
  | "notFound"
  | "requestTooLarge"
  | "functionFailed"
  | "throttled"
  | "timedOut";

/** The exact answers of API Gateway's HTTP APIs. A throttled or slow integration is 503 there, not 429 or 504. */
const HTTP_API: Readonly<Record<Refusal, Answer>> = {
  badRequest: message(400, "Bad Request"),
  forbidden: message(403, "Forbidden"),
  notFound: message(404, "Not Found"),
  requestTooLarge: message(413, "Request Entity Too Large"),
  functionFailed: message(500, "Internal Server Error"),
  throttled: message(503, "Service Unavailable"),
  timedOut: message(503, "Service Unavailable"),
};

/** A function URL reports an error of its function as a bad gateway, in plain words. */
const FUNCTION_URL: Readonly<Record<Refusal, Answer>> = {
  ...HTTP_API,
  functionFailed: json(502, "Internal Server Error"),
  throttled: message(429, "Rate Exceeded."),
  timedOut: json(502, "Internal Server Error"),
};

/** The answer of that kind of API when it does not pass a function's response on. */
export function refuse(kind: ApiRuntime["kind"], refusal: Refusal): Answer {
  return kind === "http-api" ? HTTP_API[refusal] : FUNCTION_URL[refusal];
}

function message(status: number, text: string): Answer {
  return json(status, `{"message":"${text}"}`);
}

function json(status: number, body: string): Answer {
  return { status, headers: [["content-type", "application/json"]], body };
}
