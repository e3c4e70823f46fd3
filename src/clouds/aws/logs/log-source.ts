import type { FilteredLogEvent } from "@aws-sdk/client-cloudwatch-logs";
import type { Clock } from "../../../model/world.ts";
import type { LogEntry, LogQuery, LogSource } from "../../cloud.ts";
import type { AwsClients } from "../client/aws-clients.ts";
import { finalRefusal } from "../resources/final-refusal.ts";
import { unless } from "../resources/has-name.ts";
import { logGroupName } from "../resources/logs/log-group-name.ts";
import { AWS_TYPES } from "../types.ts";
import { parseLambdaLogLine } from "./lambda-log-line.ts";

/** How often new entries are asked for, below the account's rate for it (5 a second). */
const LOOK_EVERY_MS = 2_000;
/** Entries are seen some seconds after they were written, not always in order. */
const LATE_MS = 15_000;

/** The logs of stages on AWS: one log group a stage, read with FilterLogEvents, which costs nothing. */
export function createAwsLogSource(clients: Pick<AwsClients, "logs">, clock: Clock): LogSource {
  return {
    isFunction: (type) => type === AWS_TYPES.function,
    read: (query) => readLogs(clients, query, clock),
  };
}

/** Ends without an error when the signal is aborted; a log group that is missing has no entries for now. */
async function* readLogs(
  clients: Pick<AwsClients, "logs">,
  query: LogQuery,
  clock: Clock,
): AsyncIterable<LogEntry> {
  const wanted = filterOf(query);
  const seen = new Map<string, number>();
  let fromMs = query.sinceMs ?? 0;
  let newestMs = fromMs;
  try {
    while (!query.signal.aborted) {
      for await (const event of eventsSince(clients, query, fromMs)) {
        const { timestamp = 0 } = event;
        const id = event.eventId ?? JSON.stringify(event);
        if (seen.has(id)) continue;
        seen.set(id, timestamp);
        newestMs = Math.max(newestMs, timestamp);
        const entry = entryOf(event, query);
        if (wanted(entry)) yield entry;
      }
      if (!query.follow) return;
      fromMs = Math.max(fromMs, newestMs - LATE_MS);
      for (const [id, timeMs] of seen) if (timeMs < fromMs) seen.delete(id);
      await clock.sleep(LOOK_EVERY_MS, query.signal);
    }
  } catch (error) {
    if (query.signal.aborted) return;
    throw finalRefusal(`the logs of stage ${query.stage}`, error) ?? error;
  }
}

async function* eventsSince(
  clients: Pick<AwsClients, "logs">,
  { app, stage, signal }: LogQuery,
  startTime: number,
): AsyncIterable<FilteredLogEvent> {
  const { FilterLogEventsCommand } = await import("@aws-sdk/client-cloudwatch-logs");
  const logs = await clients.logs();
  const request = { logGroupName: logGroupName(app, stage), startTime };
  let nextToken: string | undefined;
  do {
    const page = await unless(
      logs.send(
        new FilterLogEventsCommand(nextToken === undefined ? request : { ...request, nextToken }),
        { abortSignal: signal },
      ),
      "ResourceNotFoundException",
    );
    yield* page?.events ?? [];
    // A page without events may have others behind it; one that leads to itself has not.
    nextToken = page?.nextToken === nextToken ? undefined : page?.nextToken;
  } while (nextToken !== undefined && !signal.aborted);
}

function entryOf({ timestamp, logStreamName, message }: FilteredLogEvent, query: LogQuery) {
  const physicalName = functionOf(logStreamName ?? "");
  return {
    time: new Date(timestamp ?? 0).toISOString(),
    function: query.names?.get(physicalName) ?? physicalName,
    ...parseLambdaLogLine(message ?? ""),
  };
}

/** Streams of a log group that functions share are called `<year>/<month>/<day>/<function>[<version>]<id>`. */
function functionOf(stream: string): string {
  return /^\d{4}\/\d\d\/\d\d\/(.+?)\[/.exec(stream)?.[1] ?? stream;
}

/** A name selects a function, and the name of an API all of its routes. */
function filterOf({ functions }: LogQuery): (entry: LogEntry) => boolean {
  if (functions.length === 0) return () => true;
  return (entry) =>
    functions.some((name) => entry.function === name || entry.function.startsWith(`${name}/`));
}
