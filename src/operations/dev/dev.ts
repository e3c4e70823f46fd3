import { join } from "node:path";
import type { Cloud } from "../../clouds/cloud.ts";
import { homeFolder, userFolders } from "../../home/home-folder.ts";
import { EXIT } from "../../model/diagnostic.ts";
import type { StageChanged } from "../change-stage.ts";
import type { OperationContext, Target } from "../context.ts";
import { openStage } from "../deploy.ts";
import { type Location, locate } from "../locate.ts";
import { type Workspace, withWorkspace } from "../workspace.ts";
import type { TellDev } from "./dev-event.ts";
import { takeDevLock } from "./dev-lock.ts";
import { DevSession } from "./dev-session.ts";
import { refuseProtected } from "./refusals.ts";

export interface DevOptions {
  /** How long the first deploy waits for another command on the stage. */
  readonly lockTimeoutMs: number;
}

export interface DevResult {
  readonly location: Location;
  /** The change of the stage that was not completed at the end; null when the stage is what the files said last. */
  readonly unfinished: StageChanged | null;
}

/**
 * Deploys a stage with `$dev` and makes it follow the files until the context's signal is aborted. The stage stays
 * deployed as it was served last.
 *
 * @throws DiagnosticError: as a deploy does, when the first one is refused; `STAGE_PROTECTED` (5), `DEV_RUNNING` (3),
 * `STAGE_REMOVED` (1)
 */
export async function dev(
  target: Target,
  options: DevOptions,
  context: OperationContext,
  tell: TellDev,
): Promise<DevResult> {
  const location = await locate(target, { dev: true, stateIsEnough: false }, context);
  const { app, stage, config } = location;
  if (config === null) throw new Error("a config was loaded and is not there");
  return withWorkspace(location, context, async (workspace) => {
    const { snapshot } = await workspace.home.stage(app, stage).read();
    refuseProtected(config.app, snapshot);
    const folder = join(homeFolder(userFolders(context.env)), "dev");
    const lock = takeDevLock({ folder, app, stage });
    try {
      const session = await openSession(target, options, workspace, context, tell);
      const unfinished = await withLogs(workspace, context, tell, () => session.run());
      return { location, unfinished };
    } finally {
      lock.release();
    }
  });
}

async function openSession(
  target: Target,
  { lockTimeoutMs }: DevOptions,
  workspace: Workspace,
  context: OperationContext,
  tell: TellDev,
): Promise<DevSession> {
  const { app, config } = workspace.location;
  if (config === null) throw new Error("dev needs a config");
  const identity = await openStage(workspace, context);
  const seal = await workspace.home.sealer(app);
  const options = { target, workspace, config, identity, seal, lockTimeoutMs, tell };
  return new DevSession(options, context);
}

/** Tells what the functions of the stage log while `work` goes on. */
async function withLogs<T>(
  { cloud, location }: Workspace,
  context: OperationContext,
  tell: TellDev,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  const reading = readLogs(cloud, location, { ...context, signal }, tell);
  try {
    return await work();
  } finally {
    over.abort();
    await reading;
  }
}

async function readLogs(
  cloud: Cloud,
  { app, stage }: Location,
  context: OperationContext,
  tell: TellDev,
): Promise<void> {
  const query = { app, stage, sinceMs: context.clock.now(), functions: [], follow: true };
  try {
    for await (const entry of cloud.logs.read({ ...query, signal: context.signal })) {
      tell({ kind: "log", entry });
    }
  } catch (error) {
    if (context.signal.aborted) return;
    context.emit({
      kind: "diagnostic",
      diagnostic: {
        severity: "warning",
        code: "LOGS_UNREADABLE",
        message: "The logs of the stage cannot be read any more",
        why: error instanceof Error ? error.message : String(error),
        hint: "The stage goes on being served. Start dev again to see its logs.",
        exit: EXIT.done,
      },
    });
  }
}
