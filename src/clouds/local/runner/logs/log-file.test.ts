import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLogFile } from "./log-file.ts";
import { formatLogLine } from "./log-line.ts";
import { createStageLog } from "./stage-log.ts";

describe("a log file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "scrim-log-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is there as soon as a line was appended", async () => {
    const file = openLogFile(join(folder, "logs"));
    file.append("one\n");
    expect(await readFile(join(folder, "logs", "current.ndjson"), "utf8")).toBe("one\n");
    file.close();
  });

  it("is rotated when it is full, and the oldest goes when there are too many", async () => {
    const file = openLogFile(folder, { rotateBytes: 10, keepFiles: 2 });
    for (let number = 1; number <= 5; number += 1) file.append(`line number ${number}\n`);
    file.close();
    expect((await readdir(folder)).sort()).toEqual(["3.ndjson", "4.ndjson", "current.ndjson"]);
    expect(await readFile(join(folder, "4.ndjson"), "utf8")).toBe("line number 4\n");
  });

  it("is shared by two processes that rotate it: no line is lost", async () => {
    const one = openLogFile(folder, { rotateBytes: 10, keepFiles: 9 });
    const two = openLogFile(folder, { rotateBytes: 10, keepFiles: 9 });
    one.append("1 from the first\n");
    two.append("2 from the second\n");
    one.append("3 from the first\n");
    two.append("4 from the second\n");
    one.close();
    two.close();
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    expect(
      texts
        .join("")
        .match(/\d from/g)
        ?.sort(),
    ).toEqual(["1 from", "2 from", "3 from", "4 from"]);
  });

  it("does not throw when the folder cannot be made, and works once it can", async () => {
    const logs = join(folder, "logs");
    await writeFile(logs, "in the way");
    const file = openLogFile(logs);
    expect(() => file.append("lost\n")).not.toThrow();
    await rm(logs);
    file.append("kept\n");
    expect(await readFile(join(logs, "current.ndjson"), "utf8")).toBe("kept\n");
    file.close();
  });

  it("has what was written before the flush is told", async () => {
    const log = createStageLog(folder);
    const entry = { function: 'A "b"', requestId: "r", level: "info", message: "x\ny" } as const;
    log.write(1_500_000_000_123.7, entry);
    const text = await new Promise<string>((resolve) =>
      log.afterFlush(() => resolve(readFile(join(folder, "current.ndjson"), "utf8"))),
    );
    expect(text.endsWith("\n")).toBe(true);
    expect(JSON.parse(text)).toEqual({ time: "2017-07-14T02:40:00.123Z", ...entry });
    log.close();
  });

  it("cuts a message that is longer than a line may be", () => {
    const entry = { function: "F", requestId: "", level: "info" } as const;
    const line = formatLogLine(0, { ...entry, message: "x".repeat(1_000_000) });
    expect(line.length).toBeLessThan(300_000);
    expect(JSON.parse(line).message.endsWith("... (cut)")).toBe(true);
  });
});
