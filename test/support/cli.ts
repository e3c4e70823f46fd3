import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "./processes.ts";
import { root } from "./root.ts";

/** The built command line; `SCRIM_TEST_CLI` names another build. */
export const cliFile: string = process.env["SCRIM_TEST_CLI"] ?? join(root, "dist/cli/main.js");

export interface CliOptions {
  readonly cwd: string;
  /** Added to an environment that holds nothing of this machine's but PATH, HOME and the temp folder. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Flags of Node.js itself, such as `--import`. */
  readonly nodeFlags?: readonly string[];
  /** @default 60000 */
  readonly timeoutMs?: number;
  /** Another build than {@link cliFile}. */
  readonly file?: string;
}

export interface CliResult {
  /** Exit code, or the signal's name. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that was started and may be signalled. */
export interface CliProcess {
  readonly pid: number;
  readonly result: Promise<CliResult>;
  kill(signal: NodeJS.Signals): void;
  /** What was written so far. */
  output(): { readonly stdout: string; readonly stderr: string };
}

/** Starts the real command line in a process of its own. */
export function startScrim(args: readonly string[], options: CliOptions): CliProcess {
  const child = spawn(
    process.execPath,
    [...(options.nodeFlags ?? []), options.file ?? cliFile, ...args],
    {
      cwd: options.cwd,
      env: { ...cleanEnvironment(), ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 60_000);
  const result = new Promise<CliResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal ?? "unknown", stdout, stderr });
    });
  });
  return {
    pid: child.pid ?? -1,
    result,
    kill: (signal) => void child.kill(signal),
    output: () => ({ stdout, stderr }),
  };
}

/** Runs the real command line to its end. */
export function scrim(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startScrim(args, options).result;
}

function cleanEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG"];
  return Object.fromEntries(
    kept.flatMap((key) => {
      const value = process.env[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Ends the background server of a home, hard, and everything that it started. */
export async function endServer(home: string): Promise<void> {
  const file = join(home, "local/server.json");
  if (!existsSync(file)) return;
  const { pid, socket } = JSON.parse(readFileSync(file, "utf8")) as { pid: number; socket: string };
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return;
  }
  for (let attempt = 0; attempt < 200 && isRunning(pid); attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  rmSync(socket, { force: true });
}
