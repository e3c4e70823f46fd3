import { BUILT_SERVER } from "../clouds/local/client/connect.ts";
import { runForeground } from "../clouds/local/client/run-foreground.ts";
import { serverStatus, startedStatus } from "../clouds/local/client/server-status.ts";
import { stopServer } from "../clouds/local/client/stop-server.ts";
import type { ServerStatus } from "../clouds/local/control-api.ts";
import { homeFolder, userFolders } from "../home/home-folder.ts";
import type { OperationContext } from "./context.ts";

export type { ServerStatus };

/** The server that keeps the stages of this machine's home reachable. */
export interface LocalServer {
  /** The folder whose stages it serves. */
  readonly home: string;
  /** Null when no server runs. */
  readonly status: ServerStatus | null;
}

/** What runs now. Starts nothing. @throws DiagnosticError `LOCAL_SERVER_SILENT` (exit 1) */
export async function localStatus(context: OperationContext): Promise<LocalServer> {
  const home = homeOf(context);
  const { signal } = context;
  return { home, status: await serverStatus({ homeFolder: home, signal }) };
}

/** Brings up every stage, for example after the machine was restarted. @throws DiagnosticError `LOCAL_SERVER_*` */
export async function startLocal(context: OperationContext): Promise<LocalServer> {
  const home = homeOf(context);
  const { env, clock, version, signal } = context;
  return { home, status: await startedStatus({ homeFolder: home, env, clock, version, signal }) };
}

/**
 * Serves as a part of this command until it is interrupted. Returns the server's exit code.
 *
 * @param onReady told the served folder when every stage answers
 * @throws DiagnosticError `LOCAL_SERVER_RUNNING` (exit 2) when another server has the home
 */
export function runLocal(
  context: OperationContext,
  onReady: (home: string) => void,
): Promise<number> {
  const home = homeOf(context);
  const { env, signal } = context;
  const options = { homeFolder: home, env, signal, serverEntry: BUILT_SERVER };
  return runForeground(options, () => onReady(home));
}

/** Ends the server; its stages and their data stay. Returns its process id, or null when none ran. */
export async function stopLocal(
  context: OperationContext,
): Promise<{ readonly home: string; readonly pid: number | null }> {
  const { home, status } = await localStatus(context);
  const { clock, signal } = context;
  const stopped = await stopServer({ homeFolder: home, clock, signal });
  return { home, pid: stopped ? (status?.pid ?? null) : null };
}

function homeOf(context: OperationContext): string {
  return homeFolder(userFolders(context.env));
}
