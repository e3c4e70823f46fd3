import { openLogFile } from "../../runner/logs/log-file.ts";
import { formatLogLine } from "../../runner/logs/log-line.ts";

/** Tells the readers of a stage's log that its runner died, which the runner itself cannot. */
export function recordCrash(logsFolder: string, nowMs: number, how: string): void {
  const file = openLogFile(logsFolder);
  const message =
    `The stage's functions ended unexpectedly (${how}) and start again with the next request. ` +
    "Requests in flight were lost. A native module is the usual cause.";
  file.append(formatLogLine(nowMs, { function: "", requestId: "", level: "error", message }));
  file.close();
}
