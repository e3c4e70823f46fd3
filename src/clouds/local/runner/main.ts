import { Server, Socket } from "node:net";
import { parseRunnerOptions, workerFile } from "./options.ts";
import type { FromRunner, ToRunner } from "./protocol.ts";
import { createStageRunner } from "./stage-runner.ts";

// The entry of a runner: one process a stage, started and told what to do by the server over the IPC channel.

const options = parseRunnerOptions(process.argv[2]);
const runner = createStageRunner({
  options,
  workerFile: workerFile(options, import.meta.url),
  send,
});

/** The channel can close under a message; `disconnect` ends the process then. */
function send(message: FromRunner): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

process.on("message", (message: ToRunner, handle: unknown) => {
  switch (message.kind) {
    case "configure":
      runner.configure(message.runtime);
      return;
    case "listen":
      if (handle instanceof Server) runner.listen(message.api, handle);
      return;
    case "connection":
      send({ kind: "accepted", number: message.number });
      if (handle instanceof Socket) runner.connection(message.api, handle);
      return;
    case "drain":
      void runner.drain(message.graceMs).then(() => process.exit(0));
  }
});

// The server is gone, maybe killed: what it started must not outlive it.
process.on("disconnect", () => endGroup());

// Terminals and supervisors signal a whole group; when this process ends is the server's to say.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

/** Ends this process and whatever its handlers started, which share its process group. */
function endGroup(): void {
  runner.flush();
  if (process.platform !== "win32") {
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      // Not a group leader: only this process is ours.
    }
  }
  process.kill(process.pid, "SIGKILL");
}

if (process.connected) send({ kind: "ready" });
else endGroup();
