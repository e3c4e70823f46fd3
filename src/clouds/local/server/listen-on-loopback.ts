import type { Server } from "node:net";

/**
 * Listens on 127.0.0.1: on `port`, or, when that is null or taken, on one that the system chooses.
 *
 * @returns the port
 */
export async function listenOnLoopback(server: Server, port: number | null): Promise<number> {
  if (port !== null && (await tryListen(server, port))) return portOf(server);
  if (await tryListen(server, 0)) return portOf(server);
  throw new Error("the system has no free port on 127.0.0.1");
}

/** False when the port is taken or may not be used; any other failure rejects. */
function tryListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off("listening", onListening);
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    };
    const onListening = () => {
      server.off("error", onError);
      resolve(true);
    };
    server.once("error", onError);
    server.once("listening", onListening);
    server.listen(port, "127.0.0.1");
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("the server does not listen on a port");
}
