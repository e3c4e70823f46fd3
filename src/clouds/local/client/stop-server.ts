import { processFacts } from "../../../home/owner/process-facts.ts";
import { EXIT, fail } from "../../../model/diagnostic.ts";
import type { ServerInfo } from "../control-api.ts";
import { type ConnectOptions, drainServer, findServer } from "./connect.ts";

/** How long a server may take to finish requests in flight and to leave. */
const STOP_TIMEOUT_MS = 30_000;

/**
 * Lets the server of a home leave, and waits until it and everything that it serves is gone. The
 * stages stay as they are and come back with the next server.
 *
 * @returns false when none was running
 * @throws DiagnosticError `LOCAL_SERVER_SILENT` (exit 1) when it does not leave
 */
export async function stopServer(
  options: Pick<ConnectOptions, "homeFolder" | "signal" | "clock">,
): Promise<boolean> {
  const { clock, signal } = options;
  const server = await findServer(options);
  if (server === null) return false;
  await drainServer(server, signal);
  const untilMs = clock.monotonicMs() + STOP_TIMEOUT_MS;
  while (clock.monotonicMs() < untilMs) {
    if (!(await isThere(server, options))) return true;
    await clock.sleep(50, signal);
  }
  throw fail("LOCAL_SERVER_SILENT", `The server (process ${server.pid}) does not leave`, {
    hint: "End the process; the stages are brought back by the next server.",
    exit: EXIT.failed,
  });
}

/** It stops answering first, and ends when the stages have finished what is in flight. */
async function isThere(
  server: ServerInfo,
  options: Pick<ConnectOptions, "homeFolder" | "signal">,
): Promise<boolean> {
  const { pid, pidStart } = server;
  if (pidStart !== "" && processFacts.startOf(pid) === pidStart) return true;
  const found = await findServer(options);
  return found !== null && found.token === server.token;
}
