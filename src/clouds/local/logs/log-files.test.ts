import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../system/clock.ts";
import { until } from "../../../testing/local-cloud-fixture.ts";
import type { LogEntry, LogQuery } from "../../cloud.ts";
import { localFolders } from "../folders.ts";
import { createLogSource } from "./log-files.ts";

let home: string;
let folder: string;
let controller: AbortController;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "scrim-logs-"));
  folder = localFolders(home).stage("a-shop.s-dev").logs;
  mkdirSync(folder, { recursive: true });
  controller = new AbortController();
});
afterEach(() => {
  controller.abort();
  rmSync(home, { recursive: true, force: true });
});

function line(message: string, more: Partial<LogEntry> = {}): string {
  const time = "2026-01-01T00:00:00.000Z";
  const entry = { time, function: "Api/GET /notes", requestId: "r", level: "info", message };
  return `${JSON.stringify({ ...entry, ...more })}\n`;
}

const current = () => join(folder, "current.ndjson");

function query(more: Partial<LogQuery> = {}): LogQuery {
  const { signal } = controller;
  return {
    app: "shop",
    stage: "dev",
    sinceMs: null,
    functions: [],
    follow: false,
    signal,
    ...more,
  };
}

async function read(more: Partial<LogQuery> = {}): Promise<string[]> {
  const messages: string[] = [];
  for await (const entry of createLogSource(localFolders(home), systemClock).read(query(more))) {
    messages.push(entry.message);
  }
  return messages;
}

/** Follows until the test aborts; the messages so far, and the end. */
function follow(): { readonly messages: string[]; readonly ended: Promise<void> } {
  const messages: string[] = [];
  const ended = (async () => {
    const source = createLogSource(localFolders(home), systemClock);
    for await (const { message } of source.read(query({ follow: true }))) messages.push(message);
  })();
  return { messages, ended };
}

describe("logs", () => {
  it("are read from the oldest file to the current one", async () => {
    writeFileSync(join(folder, "9.ndjson"), line("1"));
    writeFileSync(join(folder, "10.ndjson"), line("2"));
    writeFileSync(current(), line("3") + line("4"));
    expect(await read()).toEqual(["1", "2", "3", "4"]);
  });

  it("of a stage without any are none", async () => {
    rmSync(folder, { recursive: true });
    expect(await read()).toEqual([]);
  });

  it("are filtered by time and by the name of a function or an API", async () => {
    writeFileSync(
      current(),
      line("old", { time: "2020-01-01T00:00:00.000Z" }) +
        line("route") +
        line("other", { function: "Worker" }) +
        line("alike", { function: "ApiTwo" }),
    );
    const sinceMs = Date.parse("2025-01-01");
    expect(await read({ sinceMs })).toEqual(["route", "other", "alike"]);
    expect(await read({ sinceMs, functions: ["Api"] })).toEqual(["route"]);
    expect(await read({ functions: ["Worker", "ApiTwo"] })).toEqual(["other", "alike"]);
  });

  it("pass over torn and foreign lines", async () => {
    writeFileSync(current(), `{"time":"20\n${line("good")}[]\n{}\n\0\0\n${line("better")}{"tim`);
    expect(await read()).toEqual(["good", "better"]);
  });

  it("with long lines and characters of several bytes come whole", async () => {
    const long = "\u00e9\u{1f600}".repeat(60_000);
    writeFileSync(current(), line(long) + line("after"));
    expect(await read()).toEqual([long, "after"]);
  });
});

describe("following logs", () => {
  it("tells each line once as it is written, also one that is written in two halves", async () => {
    const { messages, ended } = follow();
    writeFileSync(current(), line("1"));
    await until(() => messages.length === 1);
    const text = line("2");
    appendFileSync(current(), text.slice(0, 10));
    appendFileSync(current(), text.slice(10));
    await until(() => messages.length === 2);
    controller.abort();
    await ended;
    expect(messages).toEqual(["1", "2"]);
  });

  it("goes on through a rotation without losing or repeating a line", async () => {
    writeFileSync(current(), line("1"));
    const { messages, ended } = follow();
    await until(() => messages.length === 1);
    appendFileSync(current(), line("2"));
    renameSync(current(), join(folder, "1.ndjson"));
    writeFileSync(current(), line("3"));
    await until(() => messages.length === 3);
    controller.abort();
    await ended;
    expect(messages).toEqual(["1", "2", "3"]);
  });

  it("waits for a folder that is not there yet, and for one that comes again", async () => {
    rmSync(dirname(folder), { recursive: true });
    const { messages, ended } = follow();
    mkdirSync(folder, { recursive: true });
    writeFileSync(current(), line("1"));
    await until(() => messages.length === 1);
    rmSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(current(), line("2"));
    await until(() => messages.length === 2);
    controller.abort();
    await ended;
  });
});
