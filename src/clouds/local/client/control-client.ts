import { EXIT, fail } from "../../../model/diagnostic.ts";
import type {
  ControlError,
  PutResource,
  ResourceAnswer,
  ServerInfo,
  ServerStatus,
} from "../control-api.ts";
import { parseControlError, parseResource, parseResources, parseStatus } from "./answers.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import {
  type ControlRequest,
  type ControlResponse,
  ServerGone,
  ServerSilent,
  sendControlRequest,
} from "./control-request.ts";

/**
 * The control API, typed. Connects at the first call; a server that goes away in between is
 * replaced.
 */
export interface ControlClient {
  /** The server's own status; starts a server where there is none. */
  status(): Promise<ServerStatus>;
  put(stageKey: string, key: ResourceKey, request: PutResource): Promise<ResourceAnswer>;
  get(stageKey: string, key: ResourceKey): Promise<ResourceAnswer | null>;
  delete(stageKey: string, key: ResourceKey): Promise<void>;
  hasCode(stageKey: string, hash: string): Promise<boolean>;
  putCode(stageKey: string, hash: string, zip: Uint8Array): Promise<void>;
  /** Brings the stage up; tells what of it does not answer all the same. */
  wake(stageKey: string): Promise<readonly ResourceAnswer[]>;
  removeStage(stageKey: string): Promise<void>;
}

export interface ResourceKey {
  readonly type: string;
  readonly name: string;
  /** Which epoch of the stage's log the request belongs to: `<lineage>.<number>`. */
  readonly epoch?: string;
  /** Gives the request up; by default the signal of the whole client. */
  readonly signal?: AbortSignal;
}

/** A request that the server refused; `detail` as the server gave it. */
export class ControlRefusal extends Error {
  override readonly name = "ControlRefusal";
  readonly refusal: ControlError;

  constructor(refusal: ControlError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Making a table of a busy machine takes seconds; more than this is a hang. */
const CALL_TIMEOUT_MS = 120_000;
/** How often a request is sent to a new server when the old one goes away. */
const TRIES_MAX = 3;

/** Of what is part of a change that was begun: it is finished though the command is asked to stop. */
const TO_THE_END: AbortSignal = new AbortController().signal;

export function createControlClient(options: ConnectOptions): ControlClient {
  let connecting: Promise<ServerInfo> | null = null;

  async function call(
    request: Pick<ControlRequest, "method" | "path" | "body" | "epoch"> & {
      readonly signal?: AbortSignal;
    },
  ): Promise<ControlResponse> {
    for (let tries = 1; ; tries += 1) {
      connecting ??= connect(options);
      const current = connecting;
      try {
        const response = await sendControlRequest(await current, {
          signal: options.signal,
          ...request,
          timeoutMs: CALL_TIMEOUT_MS,
        });
        return checked(response);
      } catch (error) {
        // Every call may be repeated: a put is the whole desired state, a delete of nothing is
        // done.
        if (connecting === current && !(error instanceof ControlRefusal)) connecting = null;
        if (error instanceof ServerSilent) throw timedOut(request.path);
        if (!(error instanceof ServerGone) || tries === TRIES_MAX) throw error;
      }
    }
  }

  const json = async (request: Parameters<typeof call>[0]) =>
    JSON.parse((await call(request)).text);
  return {
    status: async () => parseStatus(await json({ method: "GET", path: "/v1/status" })),
    put: async (stageKey, key, request) =>
      parseResource(
        await json({
          method: "PUT",
          ...addressOf(stageKey, key),
          body: JSON.stringify(request),
        }),
      ),
    get: async (stageKey, key) => {
      const response = await call({ method: "GET", ...addressOf(stageKey, key) });
      return response.status === 404 ? null : parseResource(JSON.parse(response.text));
    },
    delete: async (stageKey, key) => {
      await call({ method: "DELETE", ...addressOf(stageKey, key) });
    },
    hasCode: async (stageKey, hash) =>
      (await call({ method: "HEAD", path: codePath(stageKey, hash), signal: TO_THE_END }))
        .status === 200,
    putCode: async (stageKey, hash, zip) => {
      const path = codePath(stageKey, hash);
      await call({ method: "PUT", path, body: zip, signal: TO_THE_END });
    },
    wake: async (stageKey) => {
      const { text } = await call({ method: "POST", path: `${stagePath(stageKey)}/wake` });
      return parseResources(JSON.parse(text));
    },
    removeStage: async (stageKey) => {
      await call({ method: "DELETE", path: stagePath(stageKey), signal: TO_THE_END });
    },
  };
}

function stagePath(stageKey: string): string {
  return `/v1/stages/${encodeURIComponent(stageKey)}`;
}

function codePath(stageKey: string, hash: string): string {
  return `${stagePath(stageKey)}/code/${hash}`;
}

function addressOf(
  stageKey: string,
  { type, name, epoch, signal }: ResourceKey,
): Pick<ControlRequest, "path" | "epoch"> & { readonly signal?: AbortSignal } {
  const resource = `${encodeURIComponent(type)}/${encodeURIComponent(name)}`;
  const path = `${stagePath(stageKey)}/resources/${resource}`;
  return {
    path,
    ...(epoch === undefined ? {} : { epoch }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/**
 * A 404 is an answer of its own. @throws ControlRefusal for every other status that is no success,
 * ServerGone
 */
function checked(response: ControlResponse): ControlResponse {
  if (response.status < 400 || response.status === 404) return response;
  // Another server has taken the place since; its token is in its own file.
  if (response.status === 401) throw new ServerGone("another server answers");
  throw new ControlRefusal(parseControlError(response));
}

/** A refused call as the problem that a user is told. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof ControlRefusal)) return error;
  const { code, message, hint } = error.refusal;
  const exit = code === "LOCAL_OVERTAKEN" ? EXIT.locked : EXIT.failed;
  return fail(code, message, { ...(hint === undefined ? {} : { hint }), exit });
}

function timedOut(path: string): Error {
  return fail("LOCAL_SERVER_SILENT", `The local cloud did not answer ${path} in time`, {
    why: `There was no answer within ${CALL_TIMEOUT_MS / 1000} seconds.`,
    hint: "Try again; when it lasts, see the server's log.",
    exit: EXIT.failed,
  });
}
