import type { LogEntry } from "../../cloud.ts";

const LEVELS: readonly LogEntry["level"][] = ["debug", "info", "warn", "error", "platform"];

/** One line of a log file; null for one that a crash has torn. */
export function parseLogLine(line: string): LogEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const entry = value as Partial<Record<keyof LogEntry, unknown>>;
  const { time, function: name, requestId, message } = entry;
  const level = LEVELS.find((known) => known === entry.level);
  if (typeof time !== "string" || Number.isNaN(Date.parse(time)) || level === undefined)
    return null;
  if (typeof name !== "string" || typeof message !== "string") return null;
  return {
    time,
    function: name,
    requestId: typeof requestId === "string" ? requestId : "",
    level,
    message,
  };
}
