import { createServer, type Server, type Socket } from "node:net";
import type { ApiRuntime } from "../../runner/protocol.ts";

/** The port of one API, held by the server for as long as the API exists, awake or asleep. */
export interface ApiListener {
  readonly port: number;
  /** Null when the port could not be had; `reason` says why. */
  readonly server: Server | null;
  readonly reason: string | null;
  /** Frees the port, as far as this process holds it. */
  close(): void;
}

/** Connections that may wait in the kernel, for a server or a runner that is busy. */
const BACKLOG = 511;

/**
 * Listens on the loopback address. Connections arrive paused, with nothing read, so that they can be handed to
 * another process. A taken port is an answer, not an error.
 */
export function openApiListener(
  api: ApiRuntime,
  onConnection: (socket: Socket) => void,
): Promise<ApiListener> {
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  server.on("connection", (socket) => {
    socket.on("error", () => socket.destroy());
    onConnection(socket);
  });
  return new Promise((resolve) => {
    server.once("error", (error) => {
      resolve({ port: api.port, server: null, reason: reasonOf(error, api.port), close() {} });
    });
    server.listen({ host: "127.0.0.1", port: api.port, backlog: BACKLOG }, () => {
      server.removeAllListeners("error");
      // A connection that could not be accepted, such as for want of file descriptors, is its client's loss alone.
      server.on("error", () => {});
      resolve({ port: api.port, server, reason: null, close: () => server.close() });
    });
  });
}

function reasonOf(error: Error, port: number): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program`;
  if (code === "EACCES") return `Port ${port} may not be used by this user`;
  return `Port ${port} cannot be listened on: ${error.message}`;
}
