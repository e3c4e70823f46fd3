import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a script chooses a fault for it. `index` counts all requests from 0. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly index: number;
}

/**
 * What becomes of one request. `lost`: served, and the connection breaks before the answer. `dropped`: it breaks
 * before anything was served. An answer with `served` replaces the true one; without it nothing was served.
 */
export type ProxyFault =
  | "none"
  | "lost"
  | "dropped"
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly served: boolean;
    };

export interface FaultProxy {
  /** Where clients reach the proxy, `http://127.0.0.1:<port>`. */
  readonly endpoint: string;
  /** Requests so far. */
  readonly count: number;
  /** Replaces the script; without one nothing fails. */
  script(choose: (request: ProxiedRequest) => ProxyFault): void;
  close(): Promise<void>;
}

/** A way over HTTP to a server on this machine, on which requests fail as a script says. */
export async function startFaultProxy(
  target: string,
  options: { readonly latencyMs?: number } = {},
): Promise<FaultProxy> {
  let choose: (request: ProxiedRequest) => ProxyFault = () => "none";
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    const index = count;
    count += 1;
    const work = serve(incoming, outgoing, { target, index, choose, ...options });
    work.catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    get count() {
      return count;
    },
    script: (chosen) => {
      choose = chosen;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly target: string;
  readonly index: number;
  readonly choose: (request: ProxiedRequest) => ProxyFault;
  readonly latencyMs?: number;
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, index, choose, latencyMs = 0 }: Serving,
): Promise<void> {
  const body = await bytesOf(incoming);
  const { method = "GET", url: path = "/", headers } = incoming;
  const fault = choose({ method, path, headers, body, index });
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  if (fault === "dropped") return void incoming.socket.destroy();
  if (typeof fault === "object" && !fault.served) return answer(outgoing, fault);
  const served = await forward(target, { method, path, headers, body });
  if (fault === "lost") return void incoming.socket.destroy();
  if (typeof fault === "object") return answer(outgoing, fault);
  outgoing.writeHead(served.status, served.headers).end(served.body);
}

function answer(outgoing: ServerResponse, fault: Exclude<ProxyFault, string>): void {
  outgoing.writeHead(fault.status, { ...fault.headers }).end(fault.body);
}

interface Served {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Headers go on as they came: `Host` is part of what is signed. */
function forward(
  target: string,
  { method, path, headers, body }: Omit<ProxiedRequest, "index">,
): Promise<Served> {
  const { hostname, port } = new URL(target);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent: false });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const { statusCode = 502, headers: received } = response;
      bytesOf(response).then(
        (bytes) => resolve({ status: statusCode, headers: received, body: bytes }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
