import { describe, expect, it } from "vitest";
import { parseLambdaLogLine } from "./lambda-log-line.ts";

const ID = "8f507cfc-xmpl-4697-b07a-ac58fc914c95";
const TIME = "2026-11-20T08:00:00.123Z";

describe("a line of a function's log", () => {
  it.each([
    ["START RequestId: 1 Version: $LATEST\n", "1", "platform"],
    ["END RequestId: 1", "1", "platform"],
    ["REPORT RequestId: 1\tDuration: 1 ms", "1", "platform"],
    ["INIT_START Runtime Version: nodejs:22.v1", "", "platform"],
    [`${TIME}\t${ID}\tINFO\thello`, ID, "info"],
    [`${TIME}\tundefined\tERROR\tUncaught Exception`, "", "error"],
    [`${TIME}\t${ID}\tTRACE\tdeep`, ID, "debug"],
    [`${TIME} ${ID} Task timed out after 3.00 seconds`, ID, "error"],
    ["written to the file descriptor", "", "info"],
    ["", "", "info"],
  ])("%j is told apart", (text, requestId, level) => {
    expect(parseLambdaLogLine(text)).toMatchObject({ requestId, level });
  });

  it("keeps the lines and tabs of a message", () => {
    const { message } = parseLambdaLogLine(`${TIME}\t${ID}\tINFO\ta\tb\n  c\n`);
    expect(message).toBe("a\tb\n  c");
  });
});
