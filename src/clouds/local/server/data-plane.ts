import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { preflightHeaders } from "../services/cognito/cors.ts";
import { isApiPreflight } from "../services/cognito/pool-address.ts";
import { describeBug } from "../services/describe-bug.ts";
import { bucketOf } from "../services/s3/bucket-address.ts";
import type { ServiceInstance } from "../services/service.ts";
import { AuthProblem } from "../services/sigv4/auth-problem.ts";
import { parseRequestTarget } from "../services/sigv4/request-target.ts";
import { readSignedRequest, type SignedRequest } from "../services/sigv4/signed-request.ts";
import { findUserPool } from "./find-user-pool.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { type RefusalReason, refuseRequest } from "./refuse-request.ts";
import { StageInstances } from "./stage-instances.ts";

export interface DataPlaneOptions {
  /** Whose key it is; null for one that nobody has. Asked for every request. */
  resolveAccessKey(
    accessKeyId: string,
  ): { readonly stageKey: string; readonly secret: string } | null;
  /** `<home>/local/<stageKey>`; each service has a folder in it. */
  folderOf(stageKey: string): string;
  /** Tried first; when it is null or taken, the system chooses one. */
  readonly port: number | null;
  readonly region: string;
  readonly account: string;
  /**
   * The stage of a bucket, for browsers' preflights, which carry no signature. Without it only
   * stages whose S3 is open already can answer them.
   */
  readonly stageOfBucket?: (bucket: string) => string | null;
  /** The stages of a user pool and of a client of one, likewise. */
  readonly stageOfPool?: (poolId: string) => string | null;
  readonly stageOfPoolClient?: (clientId: string) => string | null;
  /** Where the logs of a stage lie that its user reads; without it services write none. */
  readonly logsFolderOf?: (stageKey: string) => string;
  /** Told what went wrong inside; never a secret. */
  readonly log?: (message: string) => void;
  /** Milliseconds since the epoch; by default the machine's clock. */
  readonly now?: () => number;
}

/** The services of all stages of a home behind one port of the loopback interface. */
export interface DataPlane {
  /** To be recorded and given as `port` next time, so that endpoints stay the same. */
  readonly port: number;
  /**
   * The stage's instance of the service that keeps `type`, opened at first use. @throws Error for
   * an unknown type
   */
  instance(stageKey: string, type: string): Promise<ServiceInstance>;
  /** Closes the stage's instances and deletes their data. */
  removeStage(stageKey: string): Promise<void>;
  /** Finishes requests in flight, for a few seconds at most, and closes every instance. */
  close(): Promise<void>;
}

/** How long requests in flight may take after {@link DataPlane.close}. */
const CLOSE_GRACE_MS = 5000;
/**
 * A connection on which nothing moves for so long is ended; a copy of 5 GiB on a slow disk takes
 * minutes.
 */
const IDLE_TIMEOUT_MS = 600_000;
/**
 * Longer than any common client keeps an unused connection, so that the client is the one to close
 * it.
 */
const KEEP_ALIVE_MS = 65_000;

export async function createDataPlane(options: DataPlaneOptions): Promise<DataPlane> {
  const endpoint = () => `http://127.0.0.1:${port}`;
  const stages = new StageInstances({ ...options, endpoint });
  const server = createServer((request, response) => {
    dispatch(options, stages, request, response).catch((error: unknown) => {
      options.log?.(`data plane: ${describeBug(error)}`);
      response.destroy();
    });
  });
  // A large upload may take as long as it moves at all.
  server.requestTimeout = 0;
  server.setTimeout(IDLE_TIMEOUT_MS);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const port = await listenOnLoopback(server, options.port);
  return {
    port,
    instance: (stageKey, type) => stages.forType(stageKey, type),
    removeStage: (stageKey) => stages.remove(stageKey),
    close: async () => {
      await closeServer(server);
      await stages.close();
    },
  };
}

async function dispatch(
  options: DataPlaneOptions,
  stages: StageInstances,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const destination = await findDestination(options, stages, request);
  if ("instance" in destination)
    await destination.instance.handle(request, response, destination.body);
  else if ("refusal" in destination) await refuseRequest(request, response, destination.refusal);
  else response.writeHead(204, destination.headers).end();
}

type Destination =
  | { readonly instance: ServiceInstance; readonly body?: Buffer }
  | { readonly refusal: RefusalReason }
  | { readonly headers: Readonly<Record<string, string>> };

async function findDestination(
  options: DataPlaneOptions,
  stages: StageInstances,
  request: IncomingMessage,
): Promise<Destination> {
  if (!isLocalHost(request.headers.host)) return { refusal: "foreign-host" };
  if (isApiPreflight(request)) return { headers: preflightHeaders(request) };
  const userPool = await findUserPool(options, stages, request);
  if (userPool !== null) return userPool;
  const signed = readSignature(request);
  if (signed instanceof AuthProblem) {
    const instance = await findPreflightStage(options, stages, request);
    return instance === null ? { refusal: signed } : { instance };
  }
  const owner = options.resolveAccessKey(signed.accessKeyId);
  if (owner === null) return { refusal: "unknown-key" };
  const instance = await stages.forService(owner.stageKey, signed.service);
  return instance === null ? { refusal: "unknown-service" } : { instance };
}

/** Which key signed for which service, as far as can be told without checking. */
function readSignature(request: IncomingMessage): SignedRequest | AuthProblem {
  try {
    const { query } = parseRequestTarget(request.url ?? "/");
    return readSignedRequest(request.headers, query);
  } catch (error) {
    return error instanceof AuthProblem ? error : new AuthProblem("malformed", "Invalid URI");
  }
}

/** Without a signature only a browser's preflight has an answer. */
async function findPreflightStage(
  options: DataPlaneOptions,
  stages: StageInstances,
  request: IncomingMessage,
): Promise<ServiceInstance | null> {
  if (request.method !== "OPTIONS") return null;
  const bucket = bucketOf(request);
  if (bucket === null) return null;
  const stageKey = options.stageOfBucket?.(bucket) ?? null;
  if (stageKey !== null) return await stages.forService(stageKey, "s3");
  return await stages.findOpen("s3", "local:bucket", (name) => name === bucket);
}

/**
 * A page of another origin can point its own host name at 127.0.0.1; such requests say so in Host.
 */
function isLocalHost(host: string | undefined): boolean {
  const name = (host ?? "").replace(/:\d+$/, "").toLowerCase();
  return ["127.0.0.1", "localhost", "[::1]"].includes(name) || name.endsWith(".localhost");
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
