import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { countingRandom, SteppedClock } from "../../testing/store-stage.ts";
import { MemoryStore } from "../stores/memory.ts";
import { FrameWriter } from "./frame-writer.ts";

it("lets every call in flight listen for the end of an epoch, without a warning", async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error): number => warnings.push(warning);
  process.on("warning", keep);
  onTestFinished(() => void process.off("warning", keep));
  const { signal } = new FrameWriter({
    store: new MemoryStore(),
    prefix: "log/",
    clock: new SteppedClock(),
    writer: Buffer.from(countingRandom().bytes(16)).toString("hex"),
    epoch: 1,
    start: 1,
    behind: { slot: 1, hash: "" },
    fenced: () => new Error("fenced"),
    onCommitted: () => {},
  });
  for (let call = 0; call < 40; call += 1) signal.addEventListener("abort", () => {});
  await turn();
  expect(warnings).toEqual([]);
});
