import type { LogEntry } from "../../../cloud.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import { formatLogLine } from "./log-line.ts";

/** Where a runner writes; lines of one turn of the event loop are written together. */
export interface StageLog {
  write(timeMs: number, entry: Omit<LogEntry, "time">): void;
  /** Calls back once everything written so far is in the file. */
  afterFlush(callback: () => void): void;
  /** Writes what is pending at once. */
  flush(): void;
  close(): void;
}

export function createStageLog(
  folder: string,
  open: (folder: string) => LogFile = openLogFile,
): StageLog {
  const file = open(folder);
  let pending = "";
  let waiting: (() => void)[] = [];
  let scheduled: NodeJS.Immediate | null = null;

  const flush = () => {
    if (scheduled !== null) clearImmediate(scheduled);
    scheduled = null;
    const lines = pending;
    const callbacks = waiting;
    pending = "";
    waiting = [];
    if (lines !== "") file.append(lines);
    for (const callback of callbacks) callback();
  };
  const schedule = () => {
    scheduled ??= setImmediate(flush);
  };
  return {
    write(timeMs, entry) {
      pending += formatLogLine(timeMs, entry);
      schedule();
    },
    afterFlush(callback) {
      if (pending === "") return callback();
      waiting.push(callback);
      schedule();
    },
    flush,
    close() {
      flush();
      file.close();
    },
  };
}
