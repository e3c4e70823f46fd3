import type { LogEntry } from "../../cloud.ts";

/** What one line of a function's log says. */
export type LambdaLogLine = Pick<LogEntry, "requestId" | "level" | "message">;

const LEVELS: Readonly<Record<string, LogEntry["level"]>> = {
  TRACE: "debug",
  DEBUG: "debug",
  INFO: "info",
  WARN: "warn",
  ERROR: "error",
  FATAL: "error",
};

/** Lines of Lambda's own: what started, ended and was billed. */
const PLATFORM = /^(?:START|END|REPORT) RequestId: (\S+)|^(?:INIT_START|INIT_REPORT|EXTENSION)\b/;
/** What the Node.js runtime makes of a console call: time, request, level, text. */
const CONSOLE = /^\d{4}-\d\d-\d\dT[\d:.]+Z\t(\S+)\t([A-Z]+)\t([\s\S]*)$/;
const TIMED_OUT = /^\d{4}-\d\d-\d\dT[\d:.]+Z (\S+) (Task timed out [\s\S]*)$/;

/** Reads a line as Lambda writes it to CloudWatch Logs in its text format; what has no form is the function's own. */
export function parseLambdaLogLine(text: string): LambdaLogLine {
  const line = text.trimEnd();
  const platform = PLATFORM.exec(line);
  if (platform !== null) {
    return { requestId: platform[1] ?? "", level: "platform", message: line };
  }
  const [, id = "", word = "", message = ""] = CONSOLE.exec(line) ?? [];
  const level = LEVELS[word];
  if (level !== undefined) return { requestId: id === "undefined" ? "" : id, level, message };
  const [, late, what] = TIMED_OUT.exec(line) ?? [];
  if (late !== undefined && what !== undefined) {
    return { requestId: late, level: "error", message: what };
  }
  return { requestId: "", level: "info", message: line };
}
