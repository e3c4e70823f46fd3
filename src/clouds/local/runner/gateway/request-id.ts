import { randomBytes } from "node:crypto";

/** Random bytes are fetched in pages: one call a request would cost more than the rest of the event. */
const PAGE_BYTES = 8_192;
let page = Buffer.alloc(0);
let used = 0;

function take(count: number): Buffer {
  if (used + count > page.length) {
    page = randomBytes(PAGE_BYTES);
    used = 0;
  }
  used += count;
  return page.subarray(used - count, used);
}

/** The id of a request to an HTTP API: sixteen characters such as `JKJaXmPLvHcESHA=`. */
export function newGatewayRequestId(): string {
  return take(11).toString("base64");
}

/** A root segment of X-Ray: `Root=1-<seconds since the epoch>-<96 bits>`, both in hex. */
export function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${take(12).toString("hex")}`;
}
