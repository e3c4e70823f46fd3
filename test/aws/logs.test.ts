import {
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAwsLogSource } from "../../src/clouds/aws/logs/log-source.ts";
import type { LogEntry, LogQuery } from "../../src/clouds/cloud.ts";
import { systemClock } from "../../src/system/clock.ts";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";
import { ResourceBench } from "./resource-bench.ts";

const GROUP = "/scrim/shop/Dev";
const STREAM = "2026/11/20/shop-Dev-Api-GET-abc[$LATEST]0123";

describe.skipIf(!hasEmulator("ministack"))("the logs of a stage", { timeout: 60_000 }, () => {
  let emulator: Emulator;
  let bench: ResourceBench;

  beforeAll(async () => {
    emulator = await startEmulator("ministack");
    bench = new ResourceBench("ministack", emulator.endpoint);
  });

  beforeEach(() => emulator.reset());

  afterAll(async () => {
    await bench?.clients.close();
    await emulator?.close();
  });

  const query = (more: Partial<LogQuery> = {}): LogQuery => ({
    ...{ app: "shop", stage: "Dev", sinceMs: null, functions: [], follow: false },
    names: new Map([["shop-Dev-Api-GET-abc", "Api/GET /notes"]]),
    signal: new AbortController().signal,
    ...more,
  });
  const source = () => createAwsLogSource(bench.clients, systemClock);
  const write = async (lines: readonly string[], timeMs = Date.now()) => {
    const logs = await bench.clients.logs();
    const place = { logGroupName: GROUP, logStreamName: STREAM };
    await logs.send(new CreateLogGroupCommand({ logGroupName: GROUP })).catch(() => undefined);
    await logs.send(new CreateLogStreamCommand(place)).catch(() => undefined);
    const logEvents = lines.map((message, index) => ({ message, timestamp: timeMs + index }));
    await logs.send(new PutLogEventsCommand({ ...place, logEvents }));
  };
  const all = async (entries: AsyncIterable<LogEntry>): Promise<readonly LogEntry[]> => {
    const list: LogEntry[] = [];
    for await (const entry of entries) list.push(entry);
    return list;
  };

  it("are read under the names of its functions, in order", async () => {
    await write(["START RequestId: 1 Version: $LATEST", "plain"]);
    const entries = await all(source().read(query()));
    expect(entries.map((entry) => [entry.function, entry.level, entry.message])).toEqual([
      ["Api/GET /notes", "platform", "START RequestId: 1 Version: $LATEST"],
      ["Api/GET /notes", "info", "plain"],
    ]);
  });

  it("can be those of one function, or of all of an API", async () => {
    await write(["plain"]);
    expect(await all(source().read(query({ functions: ["Api"] })))).toHaveLength(1);
    expect(await all(source().read(query({ functions: ["Api/GET /notes"] })))).toHaveLength(1);
    expect(await all(source().read(query({ functions: ["Ap"] })))).toEqual([]);
  });

  it("are empty where nothing was ever written", async () => {
    expect(await all(source().read(query()))).toEqual([]);
  });

  it("can begin at a time", async () => {
    const nowMs = Date.now();
    await write(["old"], nowMs - 60_000);
    await write(["new"], nowMs);
    const entries = await all(source().read(query({ sinceMs: nowMs - 1_000 })));
    expect(entries.map(({ message }) => message)).toEqual(["new"]);
  });

  it("are followed, each entry once, until the signal ends it", async () => {
    await write(["first"]);
    const ended = new AbortController();
    const messages: string[] = [];
    for await (const { message } of source().read(query({ follow: true, signal: ended.signal }))) {
      messages.push(message);
      if (message === "first") await write(["second"]);
      if (message === "second") ended.abort();
    }
    expect(messages).toEqual(["first", "second"]);
  });
});
