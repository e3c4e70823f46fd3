import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { parse } from "node:path";
import { EXIT, fail } from "../../../model/diagnostic.ts";
import { localFolders } from "../folders.ts";
import { serverEnvironment } from "./server-environment.ts";
import { announced, type SpawnOptions } from "./spawn-server.ts";

/**
 * Runs the server of a home as a child of this process, with its log on stderr, until it ends; for
 * containers. It stays although it has nothing to serve. The signal, and `SIGTERM` and `SIGINT` of
 * this process, let it finish and leave.
 *
 * @param onReady called when every stage answers
 * @returns the server's exit code
 * @throws DiagnosticError `LOCAL_SERVER_RUNNING` (exit 2) when another server has the home
 */
export async function runForeground(
  options: SpawnOptions & { readonly serverEntry: string },
  onReady: () => void,
): Promise<number> {
  const { root, serverLog } = localFolders(options.homeFolder);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const child = spawn(
    process.execPath,
    [options.serverEntry, "--home", options.homeFolder, "--stay", "--announce", "3"],
    {
      cwd: parse(options.homeFolder).root,
      env: serverEnvironment(options.env),
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    },
  );
  const ended = new Promise<number>((resolve) => {
    child.once("close", (code) => resolve(code ?? EXIT.failed));
  });
  const leave = () => void child.kill("SIGTERM");
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const name of signals) process.on(name, leave);
  options.signal.addEventListener("abort", leave, { once: true });
  try {
    // The server's own end tells of the signal, so the pipe is read to its end.
    const fate = await announced(child, serverLog, new AbortController().signal);
    if (fate === "lost") throw alreadyRunning(options.homeFolder);
    onReady();
    return await ended;
  } finally {
    options.signal.removeEventListener("abort", leave);
    for (const name of signals) process.off(name, leave);
  }
}

function alreadyRunning(homeFolder: string): Error {
  return fail("LOCAL_SERVER_RUNNING", `A server of ${homeFolder} runs already`, {
    hint: "Stop it with `scrim local stop`, or use it as it is.",
    exit: EXIT.usage,
  });
}
