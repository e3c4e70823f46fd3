import type { ServerInfo, ServerStatus } from "../control-api.ts";
import { parseStatus } from "./answers.ts";
import { type ConnectOptions, connect, findServer } from "./connect.ts";
import { ServerGone, sendControlRequest } from "./control-request.ts";

const STATUS_TIMEOUT_MS = 10_000;

/**
 * What the server of a home tells about itself; null when none runs. Starts nothing.
 *
 * @throws DiagnosticError `LOCAL_SERVER_SILENT` (exit 1)
 */
export async function serverStatus(
  options: Pick<ConnectOptions, "homeFolder" | "signal">,
): Promise<ServerStatus | null> {
  const info = await findServer(options);
  return info === null ? null : askStatus(info, options.signal);
}

/**
 * Starts the server of a home in the background, where none runs. Null when it has left again at once.
 *
 * @throws DiagnosticError as {@link connect}
 */
export async function startedStatus(options: ConnectOptions): Promise<ServerStatus | null> {
  return askStatus(await connect(options), options.signal);
}

async function askStatus(info: ServerInfo, signal: AbortSignal): Promise<ServerStatus | null> {
  try {
    const request = { method: "GET", path: "/v1/status", timeoutMs: STATUS_TIMEOUT_MS } as const;
    const { text } = await sendControlRequest(info, { ...request, signal });
    return parseStatus(JSON.parse(text));
  } catch (error) {
    if (error instanceof ServerGone) return null;
    throw error;
  }
}
