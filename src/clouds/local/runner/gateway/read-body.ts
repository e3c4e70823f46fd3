import type { IncomingMessage } from "node:http";

/** The body, null when the request has none, or why there is none to work with. */
export type BodyResult = Buffer | null | "too-large" | "aborted";

/** Whether the request announces a body (RFC 9112, section 6). */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length ?? "0") !== "0";
}

/** Collects a body of at most `limitBytes`; never rejects. What lies beyond the limit is not read. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<BodyResult> {
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
    return Promise.resolve("too-large");
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= limitBytes) return;
      request.pause();
      chunks.length = 0;
      resolve("too-large");
    });
    request.on("end", () => resolve(bytes === 0 ? null : Buffer.concat(chunks, bytes)));
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
  });
}
