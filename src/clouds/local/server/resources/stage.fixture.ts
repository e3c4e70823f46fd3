import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../../model/json.ts";
import { systemClock } from "../../../../system/clock.ts";
import type { PutResource } from "../../control-api.ts";
import { localFolders } from "../../folders.ts";
import type { StageHost, StageHostStatus, StageRuntime } from "../../runner/protocol.ts";
import type { ServiceInstance } from "../../services/service.ts";
import { createPortBook, type PortBook } from "../ports.ts";
import { createServerKey } from "../registry/key-file.ts";
import { createSealing } from "../registry/sealing.ts";
import type { StageDependencies } from "./stage-dependencies.ts";

/** A stage host that opens the ports, answers nothing, and counts, for tests. */
export interface FakeHost extends StageHost {
  readonly applied: StageRuntime[];
  fail: Error | null;
}

export function createFakeHost(): FakeHost {
  const applied: StageRuntime[] = [];
  const listeners = new Map<number, Server>();
  const unavailable = new Set<number>();
  let current: StageRuntime | null = null;

  async function listen(port: number): Promise<void> {
    if (listeners.has(port)) return;
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      server.once("error", () => {
        unavailable.add(port);
        resolve();
      });
      server.listen({ host: "127.0.0.1", port }, () => {
        unavailable.delete(port);
        listeners.set(port, server);
        resolve();
      });
    });
  }

  async function keepOnly(ports: ReadonlySet<number>): Promise<void> {
    for (const [port, server] of listeners) {
      if (ports.has(port)) continue;
      listeners.delete(port);
      await new Promise((resolve) => server.close(resolve));
    }
  }

  const host: FakeHost = {
    applied,
    fail: null,
    apply: async (runtime) => {
      if (host.fail !== null) throw host.fail;
      applied.push(runtime);
      current = runtime;
      await keepOnly(new Set(runtime.apis.map(({ port }) => port)));
      for (const { port } of runtime.apis) await listen(port);
    },
    remove: async () => {
      current = null;
      await keepOnly(new Set());
    },
    status: (): readonly StageHostStatus[] => {
      if (current === null) return [];
      const apis = current.apis.map(({ id, name, port }) =>
        unavailable.has(port)
          ? { id, name, port, state: "unavailable" as const, reason: "EADDRINUSE" }
          : { id, name, port, state: "asleep" as const },
      );
      return [{ stageKey: current.stageKey, runner: null, apis }];
    },
    close: () => keepOnly(new Set()),
  };
  return host;
}

/** A data service that keeps its things in memory; `refuse` says which calls fail. */
export interface FakeService extends ServiceInstance {
  readonly things: Map<string, JsonObject>;
  refuse: ((what: "put" | "delete", name: string) => Error | null) | null;
}

export function createFakeService(): FakeService {
  const things = new Map<string, JsonObject>();
  const service: FakeService = {
    things,
    refuse: null,
    put: async (_type, name, spec) => {
      const refusal = service.refuse?.("put", name) ?? null;
      if (refusal !== null) throw refusal;
      things.set(name, spec);
      return {};
    },
    delete: async (_type, name) => {
      const refusal = service.refuse?.("delete", name) ?? null;
      if (refusal !== null) throw refusal;
      things.delete(name);
    },
    names: async () => [...things.keys()],
    handle: async () => undefined,
    close: async () => undefined,
  };
  return service;
}

export interface FakeStage {
  readonly folder: string;
  readonly host: FakeHost;
  readonly service: FakeService;
  readonly log: string[];
  /** What a server gives to stage `dev` of app `shop`; a second call is a restart of the server. */
  dependencies(more?: Partial<StageDependencies>): Promise<StageDependencies>;
}

export function createFakeStage(): FakeStage {
  const folder = mkdtempSync(join(tmpdir(), "scrim-stage-resources-"));
  const stageKey = "a-shop.s-dev";
  const host = createFakeHost();
  const service = createFakeService();
  const log: string[] = [];
  return {
    folder,
    host,
    service,
    log,
    dependencies: async (more = {}) => {
      const sealing = createSealing(await createServerKey(join(folder, "keys", "k.key")));
      const ports: PortBook = createPortBook();
      return {
        ...{ app: "shop", stage: "dev", stageKey, homeId: folder, host, ports },
        folders: localFolders(folder).stage(stageKey),
        credentials: { accessKeyId: "SCRIM", secretAccessKey: "secret" },
        clock: systemClock,
        sealLinks: () => ({ file: randomBytes(8), key: randomBytes(8).toString("hex") }),
        log: (line) => void log.push(line),
        services: async () => ({
          port: 29_999,
          instance: async () => service,
          removeStage: async () => undefined,
          close: async () => undefined,
        }),
        sealing: async () => sealing,
        ...more,
      };
    },
  };
}

/** The body of a PUT for stage `dev` of app `shop`. */
export function putOf(spec: JsonObject, lineage = "0123"): PutResource {
  return { app: "shop", stage: "dev", spec, tags: { "scrim:lineage": lineage }, token: "t" };
}
