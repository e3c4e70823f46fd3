import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import type { Cloud } from "../clouds/cloud.ts";
import { findServer } from "../clouds/local/client/connect.ts";
import type { ServerInfo } from "../clouds/local/control-api.ts";
import { openLocalCloud } from "../clouds/local/local-cloud.ts";
import { isRunning } from "../clouds/local/process-identity.ts";
import type { HandlerContext, Inputs, ResourceHandler } from "../engine/handler.ts";
import { urnOf } from "../model/urn.ts";
import { systemClock } from "../system/clock.ts";
import { type BuiltEntries, buildEntries } from "./build-entry.ts";

/** A home in a temporary folder and the built processes of a version, for tests. */
export interface LocalCloudFixture {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly serverEntry: string;
  open(more?: { readonly version?: string; readonly serverEntry?: string }): Cloud;
  /** The zip of a bundle whose `index.mjs` is this text; known to `open`ed clouds by its hash. */
  bundle(source: string): string;
  server(): Promise<ServerInfo | null>;
  /** Ends the home's server if one runs, and deletes everything. */
  close(): Promise<void>;
}

/** Builds server, runner and worker of a version as the package has them. */
export function buildLocalCloud(version: string): Promise<BuiltEntries> {
  const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return buildEntries(
    {
      server: source("../clouds/local/server/main.ts"),
      runner: source("../clouds/local/runner/main.ts"),
      worker: source("../clouds/local/runner/worker.ts"),
    },
    { SCRIM_VERSION: JSON.stringify(version) },
  );
}

export function createLocalCloudFixture(built: BuiltEntries): LocalCloudFixture {
  const folder = mkdtempSync(join(tmpdir(), "scrim-local-"));
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    SCRIM_KEY_DIR: join(folder, "keys"),
    XDG_RUNTIME_DIR: folder,
    AWS_SECRET_ACCESS_KEY: "must-not-reach-the-server",
    NODE_OPTIONS: "--no-deprecation",
  };
  const zips = new Map<string, Uint8Array>();
  const lifetime = new AbortController();
  const server = () => findServer({ homeFolder: home, signal: lifetime.signal });
  return {
    home,
    env,
    serverEntry: built.file("server"),
    server,
    open: ({ version = "1.0.0", serverEntry = built.file("server") } = {}) =>
      openLocalCloud({
        homeFolder: home,
        env,
        clock: systemClock,
        version,
        serverEntry,
        signal: lifetime.signal,
        readBundle: async (hash) => zips.get(hash) ?? Promise.reject(new Error(`no zip ${hash}`)),
      }),
    bundle: (text) => {
      const zip = zipSync({ "index.mjs": Buffer.from(text) }, { mtime: "1980-01-01T00:00:00" });
      const hash = createHash("sha256").update(zip).digest("hex");
      zips.set(hash, zip);
      return hash;
    },
    close: async () => {
      const running = await server();
      if (running !== null) {
        process.kill(running.pid, "SIGKILL");
        await until(() => !isRunning(running.pid));
      }
      lifetime.abort();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Looks until it holds; fails after 20 seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`it did not become true: ${holds}`);
    await systemClock.sleep(20);
  }
}

/** The context a handler is called with for one resource of stage `dev` of app `shop`. */
export function contextOf(
  handler: ResourceHandler,
  physicalName: string,
  more: { readonly stage?: string; readonly lineage?: string } = {},
): HandlerContext {
  const urn = urnOf(handler.type, physicalName);
  return {
    urn,
    physicalName,
    token: `token of ${urn}`,
    tags: {
      "scrim:app": "shop",
      "scrim:stage": more.stage ?? "dev",
      "scrim:lineage": more.lineage ?? "0123",
      "scrim:urn": urn,
      "scrim:generation": "1",
    },
    signal: new AbortController().signal,
    clock: systemClock,
  };
}

/** Calls one handler of a cloud as the engine does. */
export function resource(
  cloud: Cloud,
  type: string,
  name: string,
  more: { readonly stage?: string; readonly lineage?: string } = {},
) {
  const handler = cloud.handlers.get(type);
  if (handler === undefined) throw new Error(`no handler of ${type}`);
  const context = contextOf(handler, name, more);
  return {
    create: (inputs: Inputs) => handler.create(context, inputs),
    update: (inputs: Inputs) => handler.update(context, name, inputs),
    read: () => handler.read(context, name),
    delete: () => handler.delete(context, name),
  };
}
