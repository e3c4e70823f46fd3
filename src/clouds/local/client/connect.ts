import { fileURLToPath } from "node:url";
import { EXIT, fail } from "../../../model/diagnostic.ts";
import type { Clock } from "../../../model/world.ts";
import { CONTROL_PROTOCOL, type ServerInfo } from "../control-api.ts";
import { localFolders } from "../folders.ts";
import { isOfAnotherPlace } from "../home-place.ts";
import { readServerInfo } from "../server-info.ts";
import { ServerGone, ServerSilent, sendControlRequest } from "./control-request.ts";
import { spawnServer } from "./spawn-server.ts";
import { compareVersions } from "./version-order.ts";

export interface ConnectOptions {
  /** Absolute. */
  readonly homeFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Version of this tool. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** The file that a server is started from; by default the one built beside this one. */
  readonly serverEntry?: string;
  /** What this tool speaks; another one only in tests. */
  readonly protocol?: number;
  /** Bound for finding, starting or replacing a server. */
  readonly startTimeoutMs?: number;
}

/** The server of this version. dist/cli/ lies beside dist/local/. */
export const BUILT_SERVER = fileURLToPath(new URL("../local/server.js", import.meta.url));

const START_TIMEOUT_MS = 60_000;
const STATUS_TIMEOUT_MS = 10_000;

/**
 * Finds the server of a home that this version can talk to: starts one when there is none, and
 * replaces an older one.
 *
 * @throws DiagnosticError `LOCAL_SERVER_NEWER` (exit 2), `LOCAL_SERVER_SILENT`,
 * `LOCAL_SERVER_FAILED` (exit 1)
 */
export async function connect(options: ConnectOptions): Promise<ServerInfo> {
  const { clock, signal } = options;
  const startTimeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const bounded = { ...options, signal: AbortSignal.any([signal, timeout]) };
  let isTaken = false;
  try {
    for (;;) {
      const found = await findServer(bounded);
      if (found !== null && !(await isReplaced(found, bounded))) return found;
      // Lost means that another server is starting or leaving; it shows or goes in a moment.
      if (found === null) {
        isTaken = (await spawnServer(spawnOptions(bounded))) === "lost";
        if (!isTaken) continue;
      }
      await clock.sleep(100, bounded.signal);
    }
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
    throw isTaken ? taken(options.homeFolder) : late(options.homeFolder, startTimeoutMs);
  }
}

/** The server that answers now, of whatever version; null when there is none. Starts nothing. */
export async function findServer(
  options: Pick<ConnectOptions, "homeFolder" | "signal">,
): Promise<ServerInfo | null> {
  const info = await readServerInfo(localFolders(options.homeFolder).serverInfo);
  if (info === null) return null;
  const { home } = info;
  // Where a home was moved or copied, its file is still that of the server it had before.
  if (home !== undefined && (await isOfAnotherPlace(home, options.homeFolder))) return null;
  try {
    const { signal } = options;
    const request = { method: "GET", path: "/v1/status", timeoutMs: STATUS_TIMEOUT_MS } as const;
    const { status } = await sendControlRequest(info, { ...request, signal });
    // A server that does not know the token is another one, which has not written its own file yet.
    return status === 401 ? null : info;
  } catch (error) {
    if (error instanceof ServerGone) return null;
    throw error instanceof ServerSilent ? silent(info, options.homeFolder) : error;
  }
}

/** Asks a server to finish what is under way and to leave. */
export async function drainServer(server: ServerInfo, signal: AbortSignal): Promise<void> {
  try {
    const request = { method: "POST", path: "/v1/stop", timeoutMs: STATUS_TIMEOUT_MS } as const;
    await sendControlRequest(server, { ...request, signal });
  } catch (error) {
    if (!(error instanceof ServerGone)) throw error;
  }
}

/** False when the server can be used as it is; else it was asked to leave. */
async function isReplaced(server: ServerInfo, options: ConnectOptions): Promise<boolean> {
  const protocol = options.protocol ?? CONTROL_PROTOCOL;
  const order =
    Math.sign(protocol - server.protocol) || compareVersions(options.version, server.version);
  if (order === 0 || (order < 0 && server.protocol === protocol)) return false;
  if (order < 0) throw newer(server, options.version);
  await drainServer(server, options.signal);
  return true;
}

function spawnOptions(options: ConnectOptions) {
  const { homeFolder, env, signal } = options;
  return { homeFolder, env, signal, serverEntry: options.serverEntry ?? BUILT_SERVER };
}

function newer(server: ServerInfo, own: string): Error {
  return fail(
    "LOCAL_SERVER_NEWER",
    `The local cloud runs version ${server.version}; this is version ${own}`,
    {
      why: "The two do not speak the same protocol, and what a newer version wrote stays with it.",
      hint: `Use version ${server.version} in this project, too.`,
      exit: EXIT.usage,
    },
  );
}

function late(homeFolder: string, startTimeoutMs: number): Error {
  return fail("LOCAL_SERVER_SILENT", "The local cloud's server did not start in time", {
    why: `There was no answer within ${startTimeoutMs / 1000} seconds.`,
    hint: `See ${localFolders(homeFolder).serverLog}, then try again.`,
    exit: EXIT.failed,
  });
}

function taken(homeFolder: string): Error {
  return fail(
    "LOCAL_SERVER_SILENT",
    `${homeFolder} has a server that cannot be reached from here`,
    {
      why: "A process lives that has the home, perhaps in another container, and its socket does not answer.",
      hint: "Run the command where that server runs, or end it first.",
      exit: EXIT.failed,
    },
  );
}

function silent(server: ServerInfo, homeFolder: string): Error {
  return fail(
    "LOCAL_SERVER_SILENT",
    `The local cloud's server (process ${server.pid}) does not answer`,
    {
      hint: `See ${localFolders(homeFolder).serverLog}; end the process, then try again.`,
      exit: EXIT.failed,
    },
  );
}
