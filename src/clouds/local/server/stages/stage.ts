import type { Socket } from "node:net";
import type { Clock } from "../../../../model/world.ts";
import type { ApiRuntime, StageHostStatus, StageRuntime } from "../../runner/protocol.ts";
import { type ApiListener, openApiListener } from "./api-listener.ts";
import { createCrashPause } from "./crash-pause.ts";
import { recordCrash } from "./record-crash.ts";
import { type Connection, type RunnerProcess, startRunnerProcess } from "./runner-process.ts";
import { sendUnavailable } from "./send-unavailable.ts";

export interface StageOptions {
  readonly runnerEntry: string;
  readonly runnerSettings: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly onChange: () => void;
}

/** One stage: its ports, and its runner while it is awake. */
export interface Stage {
  apply(runtime: StageRuntime): Promise<void>;
  status(): StageHostStatus;
  /** Ends the runner and frees the ports; requests in flight are lost unless `graceMs` lets them finish. */
  end(graceMs: number): Promise<void>;
}

/** A runner that does not take its configuration for this long is replaced. */
const CONFIGURE_TIMEOUT_MS = 10_000;

/** How long an idle runner may take to finish what came in at the last moment. */
const IDLE_GRACE_MS = 30_000;

/** Beyond its grace, for the process to leave. */
const LEAVE_MS = 2_000;

/** Connections that may wait for a runner that starts. */
const WAITING_MAX = 1_000;

/**
 * The server holds the ports all the time. A stage that is awake shares them with its runner, which then accepts
 * most connections itself; what the server accepts it hands over. So whenever a runner goes, asked or not, the ports
 * are still listened on, and the next connection wakes another.
 */
export function createStage(stageKey: string, options: StageOptions): Stage {
  const { clock, log, onChange } = options;
  const listeners = new Map<string, ApiListener>();
  const pause = createCrashPause(() => clock.monotonicMs());
  /** Runners told to leave, which still answer what they have. */
  const leaving = new Set<RunnerProcess>();
  let runtime: StageRuntime | null = null;
  let runner: RunnerProcess | null = null;
  let waiting: Connection[] = [];
  let isEnded = false;

  const accept = (api: string, socket: Socket) => {
    if (runner?.isReady() === true) {
      runner.connect({ api, socket });
      return;
    }
    if (isEnded || waiting.length >= WAITING_MAX) {
      sendUnavailable(socket);
      return;
    }
    waiting.push({ api, socket });
    wake();
  };

  const wake = () => {
    if (runner !== null || isEnded) return;
    if (pause.waitMs() > 0) {
      refuseWaiting();
      return;
    }
    start();
  };

  const refuseWaiting = () => {
    for (const { socket } of waiting.splice(0)) sendUnavailable(socket);
  };

  const start = () => {
    const startedMs = clock.monotonicMs();
    const started = startRunnerProcess({
      entry: options.runnerEntry,
      settings: options.runnerSettings,
      onReady: () => introduce(started),
      onIdle: () => {
        if (runner === started) release();
      },
      onExit: (how, undelivered) => {
        leaving.delete(started);
        waiting = [...undelivered, ...waiting];
        if (runner === started) {
          runner = null;
          crashed(how, clock.monotonicMs() - startedMs);
        }
        if (isEnded) refuseWaiting();
        else if (waiting.length > 0) wake();
      },
      onOutput: (line) => log(`${stageKey}: ${line}`),
    });
    runner = started;
    onChange();
  };

  /** Messages and handles arrive in this order, so a connection finds its API configured. */
  const introduce = (started: RunnerProcess) => {
    if (runner !== started || runtime === null) return;
    started.configure(runtime);
    for (const api of listeners.keys()) share(api);
    for (const connection of waiting.splice(0)) started.connect(connection);
  };

  const share = (api: string) => {
    const server = listeners.get(api)?.server;
    if (runner?.isReady() !== true || server?.listening !== true) return;
    runner.listen(api, server);
  };

  const crashed = (how: string, livedMs: number) => {
    if (!isEnded) {
      pause.crashed(livedMs);
      log(`${stageKey}: the runner ended by itself (${how})`);
      if (runtime !== null) recordCrash(runtime.logsFolder, clock.now(), how);
    }
    onChange();
  };

  /** Lets the runner go; whoever comes from now on wakes another. */
  const release = () => {
    const old = runner;
    runner = null;
    if (old !== null) void dismiss(old, IDLE_GRACE_MS);
    onChange();
  };

  const dismiss = async (old: RunnerProcess, graceMs: number) => {
    leaving.add(old);
    old.drain(graceMs);
    const timer = setTimeout(() => old.kill(), graceMs + LEAVE_MS);
    await old.gone;
    clearTimeout(timer);
  };

  const openMissing = async (apis: readonly ApiRuntime[]) => {
    for (const api of apis) {
      const known = listeners.get(api.id);
      if (known?.port === api.port && known.server !== null) continue;
      const opened = await openApiListener(api, (socket) => accept(api.id, socket));
      known?.close();
      listeners.set(api.id, opened);
      if (opened.reason !== null) log(`${stageKey}: ${api.name}: ${opened.reason}`);
      share(api.id);
    }
  };

  const closeUnwanted = (apis: readonly ApiRuntime[]) => {
    const wanted = new Set(apis.map((api) => api.id));
    for (const [id, listener] of listeners) {
      if (wanted.has(id)) continue;
      listener.close();
      listeners.delete(id);
    }
  };

  return {
    async apply(next) {
      runtime = next;
      const current = runner;
      if (current?.isReady() === true) current.configure(next);
      await openMissing(next.apis);
      const isTaken = (await current?.configured(next.revision, CONFIGURE_TIMEOUT_MS)) ?? true;
      if (!isTaken) current?.kill();
      closeUnwanted(next.apis);
      onChange();
    },
    status: () => ({
      stageKey,
      runner: runner === null ? null : { pid: runner.pid, revision: runner.revision() },
      apis: (runtime?.apis ?? []).map((api) => apiStatus(api, listeners.get(api.id), runner)),
    }),
    async end(graceMs) {
      isEnded = true;
      for (const listener of listeners.values()) listener.close();
      listeners.clear();
      refuseWaiting();
      const all = runner === null ? [...leaving] : [runner, ...leaving];
      runner = null;
      if (graceMs === 0) for (const one of all) one.kill();
      else for (const one of all) void dismiss(one, graceMs);
      await Promise.all(all.map((one) => one.gone));
    },
  };
}

function apiStatus(
  api: ApiRuntime,
  listener: ApiListener | undefined,
  runner: RunnerProcess | null,
): StageHostStatus["apis"][number] {
  const { id, name, port } = api;
  const reason = listener?.reason ?? null;
  if (reason !== null) return { id, name, port, state: "unavailable", reason };
  return { id, name, port, state: runner === null ? "asleep" : "serving" };
}
