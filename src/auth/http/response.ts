/** What a handler answers, in payload format 2.0. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** An answer that no cache may keep and nobody takes for a page. */
export function textResponse(statusCode: number, body: string): HttpResponse {
  return {
    statusCode,
    body,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  };
}
