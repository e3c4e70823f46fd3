import { type ChildProcess, fork } from "node:child_process";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import type { FromRunner, StageRuntime, ToRunner } from "../../runner/protocol.ts";
import { runnerEnvironment } from "./runner-environment.ts";

export interface RunnerProcessOptions {
  /** Absolute path of the built runner/main.ts. */
  readonly entry: string;
  /** Passed as JSON; see runner/options.ts. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly onReady: () => void;
  readonly onIdle: () => void;
  /** Called once. `how` is the exit code or the signal, in words; `undelivered` is what it never took. */
  readonly onExit: (how: string, undelivered: readonly Connection[]) => void;
  /** What the process itself prints: what Node.js says before it dies, and output of native code. */
  readonly onOutput: (line: string) => void;
}

/** A connection that nothing was read from yet. */
export interface Connection {
  /** Id of the API whose port it came to. */
  readonly api: string;
  readonly socket: Socket;
}

/** One runner. Sending to one that has ended is harmless. */
export interface RunnerProcess {
  readonly pid: number;
  isReady(): boolean;
  /** Revision it has acknowledged last; 0 before the first. */
  revision(): number;
  /** Resolves when it has acknowledged `revision` (true), or has ended or `timeoutMs` is over (false). */
  configured(revision: number, timeoutMs: number): Promise<boolean>;
  configure(runtime: StageRuntime): void;
  /** Shares a listening socket with it. */
  listen(api: string, server: Server): void;
  /** Hands a connection over; it comes back with `onExit` if the runner ends before it took it. */
  connect(connection: Connection): void;
  /** Tells it to finish what it has and to leave. */
  drain(graceMs: number): void;
  /** Ends it and everything its handlers started. */
  kill(): void;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
}

/** A runner that says nothing for this long is given up. It takes 50 ms on an idle machine. */
const START_TIMEOUT_MS = 15_000;

/** Lines of output longer than this are cut. */
const OUTPUT_LENGTH_MAX = 4_096;

interface Waiter {
  readonly revision: number;
  readonly resolve: (acknowledged: boolean) => void;
}

export function startRunnerProcess(options: RunnerProcessOptions): RunnerProcess {
  // Its own process group, so that what handlers start can be ended with it, and a Ctrl-C does not reach it.
  const child = fork(options.entry, [JSON.stringify(options.settings)], {
    cwd: tmpdir(),
    env: runnerEnvironment(process.env),
    execArgv: [],
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let isReady = false;
  let revision = 0;
  let waiters: Waiter[] = [];
  let lastNumber = 0;
  const handedOver = new Map<number, Connection>();

  const settle = (isDone: (waiter: Waiter) => boolean, acknowledged: boolean) => {
    const done = waiters.filter(isDone);
    waiters = waiters.filter((waiter) => !isDone(waiter));
    for (const waiter of done) waiter.resolve(acknowledged);
  };
  const kill = () => killGroup(child);
  const startTimer = setTimeout(kill, START_TIMEOUT_MS);

  const receive = (message: FromRunner) => {
    switch (message.kind) {
      case "ready":
        clearTimeout(startTimer);
        isReady = true;
        options.onReady();
        return;
      case "configured":
        revision = message.revision;
        settle((waiter) => waiter.revision <= revision, true);
        return;
      case "accepted":
        // Closes the copy of this process only.
        handedOver.get(message.number)?.socket.destroy();
        handedOver.delete(message.number);
        return;
      case "idle":
        options.onIdle();
        return;
      case "unavailable":
        options.onOutput(`${message.api}: ${message.reason}`);
    }
  };
  child.on("message", receive);
  child.stdout?.on("data", (data: Buffer) => printLines(data, options.onOutput));
  child.stderr?.on("data", (data: Buffer) => printLines(data, options.onOutput));

  const gone = new Promise<void>((resolve) => {
    let isOver = false;
    const over = (how: string) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(startTimer);
      isReady = false;
      kill();
      settle(() => true, false);
      options.onExit(how, [...handedOver.values()]);
      resolve();
    };
    child.on("exit", (code, signal) => over(signal ?? `exit code ${code}`));
    // Comes alone when the process could not be started, and with `exit` when a message could not be sent.
    child.on("error", (error) => {
      if (child.pid === undefined) over(error.message);
    });
  });

  return {
    pid: child.pid ?? 0,
    isReady: () => isReady,
    revision: () => revision,
    configured(wanted, timeoutMs) {
      if (revision >= wanted) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle((waiter) => waiter === entry, false), timeoutMs);
        const entry: Waiter = {
          revision: wanted,
          resolve: (acknowledged) => {
            clearTimeout(timer);
            resolve(acknowledged);
          },
        };
        waiters.push(entry);
      });
    },
    configure: (runtime) => sendTo(child, { kind: "configure", runtime }),
    listen: (api, server) => sendTo(child, { kind: "listen", api }, server),
    connect(connection) {
      lastNumber += 1;
      handedOver.set(lastNumber, connection);
      const { api, socket } = connection;
      sendTo(child, { kind: "connection", api, number: lastNumber }, socket);
    },
    drain: (graceMs) => sendTo(child, { kind: "drain", graceMs }),
    kill,
    gone,
  };
}

/** What cannot be sent is not missed: `exit` follows, and gives back what was not taken. */
function sendTo(child: ChildProcess, message: ToRunner, handle?: Server | Socket): void {
  if (child.connected) child.send(message, handle, { keepOpen: true }, () => {});
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
  child.kill("SIGKILL");
}

function printLines(data: Buffer, print: (line: string) => void): void {
  for (const line of data.toString("utf8").split("\n")) {
    if (line.trim() !== "") print(line.slice(0, OUTPUT_LENGTH_MAX));
  }
}
