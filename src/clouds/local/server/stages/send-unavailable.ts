import type { Socket } from "node:net";

const BODY = '{"message":"Service Unavailable"}';

const RESPONSE = [
  "HTTP/1.1 503 Service Unavailable",
  "content-type: application/json",
  `content-length: ${BODY.length}`,
  "retry-after: 1",
  "connection: close",
  "",
  BODY,
].join("\r\n");

/** A client that does not close its side is cut off after this. */
const LINGER_MS = 1_000;

/** Answers a connection that no runner can take. */
export function sendUnavailable(socket: Socket): void {
  // Closing with the request unread would reset the connection and lose the answer on its way.
  socket.resume();
  socket.end(RESPONSE);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
  socket.once("end", () => socket.destroySoon());
}
