import { randomBytes } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { ServerInfo, ServerStatus } from "../control-api.ts";
import { makeFolder } from "../durable-file.ts";
import { localFolders } from "../folders.ts";
import { placeOfHome } from "../home-place.ts";
import { currentProcess } from "../process-identity.ts";
import { readServerInfo, removeServerInfo, writeServerInfo } from "../server-info.ts";
import { createControlServer } from "./control/control-server.ts";
import { startBeating } from "./process/beat.ts";
import { CLAIM_BEAT_MS, claimHome } from "./process/claim.ts";
import { watchHome } from "./process/home-watch.ts";
import { createLingering } from "./process/lingering.ts";
import { privateSocketPath } from "./process/socket-path.ts";
import { migrateRegistry } from "./registry/migrations.ts";
import type { ServerOptions } from "./server-options.ts";
import { openServices, type ServerServices } from "./server-services.ts";

/** The server of a home, listening. */
export interface RunningServer {
  readonly info: ServerInfo;
  /** Resolves when it has left: nothing listens any more, `server.json` and the socket are gone. */
  readonly left: Promise<void>;
  /** Finishes the changes under way and leaves. Idempotent. */
  leave(why: string): Promise<void>;
}

/** How often unused code is looked for. */
const SWEEP_EVERY_MS = 5 * 60_000;

/**
 * Becomes the server of a home: takes the claim, brings the registry to this version's format,
 * reads every stage, listens, and then makes every stage answer again.
 *
 * @returns null when another server has the home
 * @throws DiagnosticError `LOCAL_REGISTRY_NEWER` (exit 2), `LOCAL_SOCKET_FOLDER_UNSAFE` (exit 6)
 */
export async function startServer(options: ServerOptions): Promise<RunningServer | null> {
  const folders = localFolders(options.homeFolder);
  await makeFolder(folders.root);
  const claim = await claimHome(options.homeFolder, options.clock);
  if (claim === null) return null;
  const backup = await migrateRegistry(folders);
  if (backup !== null) options.log(`the registry was migrated; its old form is in ${backup}`);
  const services = await openServices(options, folders);
  const info = await describeServer(options);

  const leaving = createLeaving(async () => {
    await Promise.all([endBeat(), endSweep()]);
    stopWatching();
    lingering.stop();
    await closeControl(control, info);
    await services.close();
    await removeServerInfo(folders.serverInfo, info);
    await claim.release();
  }, options.log);
  const lingering = createLingering({
    stay: options.stay,
    lingerMs: options.lingerMs,
    stages: () => services.stages.all().size,
    resources: services.resources,
    leave: (why) => void leaving.leave(why),
  });
  const control = createControlServer({
    token: info.token,
    stages: services.stages,
    status: () => statusOf(info, services),
    onStop: () => void leaving.leave("asked to"),
    onRequest: lingering.begin,
    log: options.log,
  });
  await listen(control, info.socket);
  const stopWatching = await watchHome(
    options.homeFolder,
    () => void leaving.leave("home is gone"),
  );
  const beat = async () => {
    await claim.beat();
    // Whoever has damaged or deleted the file would keep every command from finding this server.
    const found = await readServerInfo(folders.serverInfo);
    if (found?.token !== info.token) await writeServerInfo(folders.serverInfo, info);
  };
  const endBeat = startBeating(CLAIM_BEAT_MS, beat, options.log);
  const endSweep = startBeating(SWEEP_EVERY_MS, services.sweep, options.log);
  await writeServerInfo(folders.serverInfo, info);
  const waking = lingering.begin();
  await services.wakeAll();
  waking();
  return { info, left: leaving.left, leave: leaving.leave };
}

async function describeServer(options: ServerOptions): Promise<ServerInfo> {
  const { pid, pidStart } = currentProcess();
  return {
    pid,
    pidStart,
    startedAt: new Date(options.clock.now()).toISOString(),
    homeId: options.homeId,
    socket: await privateSocketPath(options.homeId, options.homeFolder, options.env),
    token: randomBytes(32).toString("hex"),
    version: options.version,
    protocol: options.protocol,
    home: await placeOfHome(options.homeFolder),
  };
}

function statusOf(info: ServerInfo, services: ServerServices): ServerStatus {
  const { pid, version, protocol, homeId, startedAt } = info;
  const dataPort = services.dataPort();
  return { pid, version, protocol, homeId, startedAt, dataPort, stages: services.status() };
}

interface Leaving {
  readonly left: Promise<void>;
  leave(why: string): Promise<void>;
}

function createLeaving(close: () => Promise<void>, log: (line: string) => void): Leaving {
  let started = false;
  let resolveLeft: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    resolveLeft = resolve;
  });
  return {
    left,
    leave: async (why) => {
      if (started) return left;
      started = true;
      log(`leaving: ${why}`);
      try {
        await close();
      } catch (error) {
        log(`while leaving: ${error instanceof Error ? error.stack : error}`);
      }
      resolveLeft();
    },
  };
}

async function listen(server: Server, socket: string): Promise<void> {
  // The claim is ours, so whatever lies at the path was left by a server that is dead.
  if (process.platform !== "win32") await rm(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => {
      server.off("error", reject);
      resolve();
    });
  });
  if (process.platform !== "win32") await chmod(socket, 0o600);
}

/** How long answers under way may take when the server leaves. */
const CLOSE_GRACE_MS = 5_000;

async function closeControl(server: Server, info: ServerInfo): Promise<void> {
  await new Promise<void>((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    server.closeIdleConnections();
  });
  if (process.platform !== "win32") await rm(info.socket, { force: true });
}
