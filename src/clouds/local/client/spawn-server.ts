import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { parse } from "node:path";
import type { Readable } from "node:stream";
import { diskFailure } from "../../../home/stores/disk-failure.ts";
import { EXIT, fail } from "../../../model/diagnostic.ts";
import { type Announcement, parseAnnouncement } from "../announcement.ts";
import { hasCode } from "../durable-file.ts";
import { localFolders } from "../folders.ts";
import { serverEnvironment } from "./server-environment.ts";

export interface SpawnOptions {
  /** The file to run, such as `dist/local/server.js`. */
  readonly serverEntry: string;
  readonly homeFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A log larger than this is put aside before the server starts. */
const LOG_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Starts a server in the background, with a clean environment, and waits until it says how it went.
 * It goes on when this process ends.
 *
 * @throws DiagnosticError `LOCAL_SERVER_FAILED` or the server's own problem, `HOME_*` (exit 6)
 */
export async function spawnServer(options: SpawnOptions): Promise<"ready" | "lost"> {
  const { serverLog } = localFolders(options.homeFolder);
  const log = openLog(options.homeFolder);
  try {
    const child = spawn(
      process.execPath,
      [options.serverEntry, "--home", options.homeFolder, "--announce", "3"],
      {
        cwd: parse(options.homeFolder).root,
        detached: true,
        env: serverEnvironment(options.env),
        stdio: ["ignore", log, log, "pipe"],
        windowsHide: true,
      },
    );
    child.unref();
    return await announced(child, serverLog, options.signal);
  } finally {
    closeSync(log);
  }
}

/**
 * Waits for what a started server says on the pipe at descriptor 3.
 *
 * @throws DiagnosticError as {@link spawnServer}, or the signal's reason
 */
export async function announced(
  child: ChildProcess,
  serverLog: string,
  signal: AbortSignal,
): Promise<"ready" | "lost"> {
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  const pipe = child.stdio[3] as Readable;
  return outcome(await Promise.race([readLine(pipe, signal), failed]), serverLog);
}

function outcome(line: string, serverLog: string): "ready" | "lost" {
  const announced: Announcement | null = parseAnnouncement(line);
  if (announced?.kind === "ready" || announced?.kind === "lost") return announced.kind;
  if (announced === null) {
    throw fail("LOCAL_SERVER_FAILED", "The local cloud's server ended while it started", {
      hint: `See ${serverLog}.`,
      exit: EXIT.failed,
    });
  }
  const { code, message, why, hint, exit } = announced;
  throw fail(code, message, {
    ...(why === undefined ? {} : { why }),
    hint: hint ?? `See ${serverLog}.`,
    exit: exit ?? EXIT.failed,
  });
}

/**
 * All that comes until the other end is closed, which it is when the server has told its fate or
 * has ended.
 */
function readLine(pipe: Readable, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const abort = () => {
      pipe.destroy();
      reject(signal.reason);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    pipe.setEncoding("utf8");
    pipe.on("data", (chunk: string) => {
      text += chunk;
    });
    pipe.once("error", reject);
    pipe.once("close", () => {
      signal.removeEventListener("abort", abort);
      resolve(text);
    });
  });
}

/** @throws DiagnosticError `HOME_FULL`, `HOME_UNWRITABLE` (exit 6) */
function openLog(homeFolder: string): number {
  const { serverLog, root } = localFolders(homeFolder);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    rotateLog(serverLog);
    return openSync(serverLog, "a", 0o600);
  } catch (error) {
    throw diskFailure(error, homeFolder, "write");
  }
}

function rotateLog(file: string): void {
  try {
    if (statSync(file).size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
