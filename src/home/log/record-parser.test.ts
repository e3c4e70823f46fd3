import { describe, expect, it } from "vitest";
import type { LogRecord } from "../../model/record.ts";
import { urnOf } from "../../model/urn.ts";
import { stateOf } from "../../testing/store-stage.ts";
import { encodeFrame, readFrame } from "./frame.ts";

const header = { slot: 1, epoch: 1, start: 1, writer: "w", previous: "", at: "now" };

function readBack(record: LogRecord): LogRecord | undefined {
  const reading = readFrame(encodeFrame(header, [JSON.stringify(record)]).bytes, 1);
  return reading.kind === "whole" ? reading.frame.records[0] : undefined;
}

describe("a record read back", () => {
  it("still says under which name a renamed resource was made", () => {
    const state = { ...stateOf("Uploads"), bornAs: urnOf("local:bucket", "Files") };
    const record: LogRecord = { kind: "resource", state };
    expect(readBack(record)).toEqual(record);
  });

  it("says nothing of a birth where the resource was never renamed", () => {
    const record: LogRecord = { kind: "resource", state: stateOf("Uploads") };
    expect(readBack(record)).toEqual(record);
  });
});
