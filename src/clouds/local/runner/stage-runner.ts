import type { Server, Socket } from "node:net";
import { createFunctionSet, type FunctionSet } from "./functions/function-set.ts";
import { createGateway, type Gateway } from "./gateway/gateway.ts";
import { createStageLog, type StageLog } from "./logs/stage-log.ts";
import type { RunnerOptions } from "./options.ts";
import type { ApiRuntime, FromRunner, StageRuntime } from "./protocol.ts";

export interface StageRunnerOptions {
  readonly options: RunnerOptions;
  /** Absolute path of the file that instances run. */
  readonly workerFile: string;
  readonly send: (message: FromRunner) => void;
}

/** Serves one stage in this process. */
export interface StageRunner {
  configure(runtime: StageRuntime): void;
  /** Takes over a listening socket of an API; a socket that nobody asked for is closed. */
  listen(api: string, listener: Server): void;
  connection(api: string, socket: Socket): void;
  /** Accepts nothing more; resolves when nothing is in flight or `graceMs` is over. */
  drain(graceMs: number): Promise<void>;
  /** Writes pending log lines; the process may end after it. */
  flush(): void;
}

/** A client that has just connected sends its request within this time; such connections are not idle yet. */
const FIRST_REQUEST_MS = 250;

const DRAIN_POLL_MS = 20;

/** One API's way in. */
interface Door {
  readonly port: number;
  readonly gateway: Gateway;
  /** Shared with the server, which goes on listening after these are closed. */
  readonly listeners: Set<Server>;
}

interface Serving {
  readonly log: StageLog;
  readonly functions: FunctionSet;
}

export function createStageRunner({ options, workerFile, send }: StageRunnerOptions): StageRunner {
  const doors = new Map<string, Door>();
  let serving: Serving | null = null;
  let lastBusyMs = performance.now();
  let isDraining = false;

  const start = (logsFolder: string): Serving => {
    const log = createStageLog(logsFolder);
    return { log, functions: createFunctionSet(workerFile, log) };
  };

  const isBusy = (): boolean => {
    if (serving?.functions.isBusy() === true) return true;
    for (const door of doors.values()) if (door.gateway.connectionCount() > 0) return true;
    return false;
  };

  const tick = () => {
    const nowMs = performance.now();
    serving?.functions.reap(nowMs - options.instanceIdleMs);
    if (isBusy()) lastBusyMs = nowMs;
    if (isDraining || nowMs - lastBusyMs < options.idleMs) return;
    // Said once a period, should the server not act on it.
    lastBusyMs = nowMs;
    send({ kind: "idle" });
  };
  const timer = setInterval(tick, Math.min(options.idleMs, options.instanceIdleMs) / 4);

  const place = (api: ApiRuntime, runtime: StageRuntime, { log, functions }: Serving) => {
    const settings = { api, account: runtime.account, region: runtime.region };
    const known = doors.get(api.id);
    if (known !== undefined && known.port !== api.port) closeListeners(known);
    known?.gateway.configure(settings);
    const gateway =
      known?.gateway ??
      createGateway({ functions, log, timeoutMs: options.gatewayTimeoutMs }, settings);
    const listeners = known?.listeners ?? new Set<Server>();
    doors.set(api.id, { port: api.port, gateway, listeners });
  };

  const accept = (api: string, socket: Socket) => {
    lastBusyMs = performance.now();
    const door = doors.get(api);
    if (door === undefined) socket.destroy();
    else door.gateway.accept(socket);
  };

  return {
    configure(runtime) {
      serving ??= start(runtime.logsFolder);
      serving.functions.configure(runtime.functions);
      for (const api of runtime.apis) place(api, runtime, serving);
      const wanted = new Set(runtime.apis.map((api) => api.id));
      for (const [id, door] of doors) {
        if (wanted.has(id)) continue;
        close(door);
        door.gateway.closeIdleConnections();
        doors.delete(id);
      }
      send({ kind: "configured", revision: runtime.revision });
    },
    listen(api, listener) {
      const door = doors.get(api);
      if (door === undefined || isDraining) {
        listener.close();
        return;
      }
      door.listeners.add(listener);
      listener.on("connection", (socket) => accept(api, socket));
    },
    connection: accept,
    async drain(graceMs) {
      const startMs = performance.now();
      isDraining = true;
      for (const door of doors.values()) close(door);
      while (isBusy() && performance.now() - startMs < graceMs) {
        await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
        if (performance.now() - startMs < FIRST_REQUEST_MS) continue;
        for (const door of doors.values()) door.gateway.closeIdleConnections();
      }
      clearInterval(timer);
      serving?.functions.stop();
      serving?.log.close();
    },
    flush: () => serving?.log.flush(),
  };
}

/** Accepts nothing more; what is in flight is answered with `connection: close`. */
function close(door: Door): void {
  closeListeners(door);
  door.gateway.drain();
}

function closeListeners(door: Door): void {
  for (const listener of door.listeners) listener.close();
  door.listeners.clear();
}
