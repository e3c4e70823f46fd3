import { closeSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { DiagnosticError, EXIT } from "../../../../model/diagnostic.ts";
import { systemClock } from "../../../../system/clock.ts";
import type { Announcement } from "../../announcement.ts";
import { type RunningServer, startServer } from "../server.ts";
import type { ServerOptions } from "../server-options.ts";

/**
 * What the process entry brings: everything that differs between the built server and one in tests.
 */
export type ServerParts = Pick<
  ServerOptions,
  "version" | "protocol" | "createStageHost" | "createDataServices" | "sealLinks"
> & { readonly readHomeId: (homeFolder: string) => Promise<string> };

/**
 * How long a server without any resource waits for the next request. Longer than a deploy pauses
 * between two.
 */
const LINGER_MS = 15_000;

/**
 * The server as a process: `--home <folder> [--stay] [--announce <fd>]`. Tells its fate as one line
 * of JSON on the announced descriptor, and ends with 0 when it has left or another server has the
 * home.
 */
export async function runServer(parts: ServerParts, argv: readonly string[]): Promise<void> {
  const { homeFolder, stay, announce } = readArguments(argv);
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      log(`ended by a bug: ${error instanceof Error ? error.stack : error}`);
      process.exit(EXIT.failed);
    });
  }
  try {
    const homeId = await parts.readHomeId(homeFolder);
    const { readHomeId: _, ...rest } = parts;
    const running = await startServer({
      ...rest,
      ...{ homeFolder, homeId, stay, log, clock: systemClock, lingerMs: LINGER_MS },
      env: process.env,
    });
    announce(running === null ? { kind: "lost" } : { kind: "ready" });
    if (running !== null) await serveUntilLeft(running);
    process.exit(EXIT.done);
  } catch (error) {
    announce(failureOf(error));
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(error instanceof DiagnosticError ? error.exit : EXIT.failed);
  }
}

async function serveUntilLeft(running: RunningServer): Promise<void> {
  log(`serving on ${running.info.socket}, version ${running.info.version}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => void running.leave(signal));
  }
  // The terminal that the server was started from may close.
  process.on("SIGHUP", () => undefined);
  await running.left;
}

function readArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      home: { type: "string" },
      stay: { type: "boolean", default: false },
      announce: { type: "string" },
    },
  });
  if (values.home === undefined) throw new Error("--home is missing");
  return {
    homeFolder: resolve(values.home),
    stay: values.stay,
    announce: announcer(values.announce === undefined ? null : Number(values.announce)),
  };
}

function announcer(descriptor: number | null): (announcement: Announcement) => void {
  return (announcement) => {
    if (descriptor === null) return;
    try {
      writeSync(descriptor, `${JSON.stringify(announcement)}\n`);
      closeSync(descriptor);
    } catch {
      // Whoever started the server is gone; the server goes on without it.
    }
  };
}

function failureOf(error: unknown): Announcement {
  if (!(error instanceof DiagnosticError)) {
    return { kind: "failed", code: "LOCAL_SERVER_FAILED", message: String(error) };
  }
  const { code, message, why, hint, exit } = error.diagnostics[0];
  const rest = {
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
  };
  return { kind: "failed", code, message, exit, ...rest };
}

function log(line: string): void {
  process.stderr.write(`${new Date().toISOString()} [${process.pid}] ${line}\n`);
}
