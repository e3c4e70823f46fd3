import type { LogEntry } from "../../../cloud.ts";

/** Longer messages are cut, so that one line cannot fill a log file. CloudWatch cuts at the same length. */
const MESSAGE_LENGTH_MAX = 256 * 1_024;

/** One entry as a line of NDJSON. `timeMs` counts from the epoch. */
export function formatLogLine(timeMs: number, entry: Omit<LogEntry, "time">): string {
  const message =
    entry.message.length > MESSAGE_LENGTH_MAX
      ? `${entry.message.slice(0, MESSAGE_LENGTH_MAX)}... (cut)`
      : entry.message;
  return (
    `{"time":"${isoTime(timeMs)}","function":${JSON.stringify(entry.function)},` +
    `"requestId":${JSON.stringify(entry.requestId)},"level":"${entry.level}",` +
    `"message":${JSON.stringify(message)}}\n`
  );
}

let lastMs = -1;
let lastIso = "";

/** Several lines are written within one millisecond. */
function isoTime(timeMs: number): string {
  const wholeMs = Math.floor(timeMs);
  if (wholeMs === lastMs) return lastIso;
  lastMs = wholeMs;
  lastIso = new Date(wholeMs).toISOString();
  return lastIso;
}
