import { stageKey } from "../../../model/stage-key.ts";
import type { Clock } from "../../../model/world.ts";
import type { LogEntry, LogQuery, LogSource } from "../../cloud.ts";
import type { LocalFolders } from "../folders.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { expectChange } from "./folder-change.ts";
import { parseLogLine } from "./log-line.ts";
import { createLogReader } from "./log-reader.ts";

/** How often the files are looked at when the system tells of no change. */
const LOOK_EVERY_MS = 1_000;

/** The logs of the local cloud: the files that the runners write. Needs no server. */
export function createLogSource(folders: LocalFolders, clock: Clock): LogSource {
  return {
    // The log of a user pool takes the place of its mail.
    isFunction: (type) => type === LOCAL_TYPES.function || type === LOCAL_TYPES.userPool,
    read: (query) => readLogs(folders.stage(stageKey(query.app, query.stage)).logs, query, clock),
  };
}

/**
 * Ends without an error when the signal is aborted; a folder that is missing or goes away has no
 * entries for now.
 */
async function* readLogs(folder: string, query: LogQuery, clock: Clock): AsyncIterable<LogEntry> {
  const reader = createLogReader(folder, query.sinceMs);
  const wanted = filterOf(query);
  while (!query.signal.aborted) {
    // A line that is written while the others are read is noticed, too.
    const change = query.follow ? expectChange(folder) : null;
    try {
      for await (const line of reader.newLines()) {
        if (query.signal.aborted) return;
        const entry = parseLogLine(line);
        if (entry !== null && wanted(entry)) yield entry;
      }
      if (change === null) return;
      await change.wait(LOOK_EVERY_MS, clock, query.signal);
    } finally {
      change?.close();
    }
  }
}

/** A name selects a function, and the name of an API all of its routes. */
function filterOf(query: LogQuery): (entry: LogEntry) => boolean {
  const { sinceMs, functions } = query;
  return (entry) => {
    if (sinceMs !== null && Date.parse(entry.time) < sinceMs) return false;
    if (functions.length === 0) return true;
    return functions.some(
      (name) => entry.function === name || entry.function.startsWith(`${name}/`),
    );
  };
}
