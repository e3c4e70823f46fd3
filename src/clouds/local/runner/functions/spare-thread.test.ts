import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  createStageFixture,
  freePort,
  type StageFixture,
  until,
} from "../../server/stages/stage.fixture.ts";
import type { FunctionRuntime } from "../protocol.ts";
import { createSpareThread, type SpareThread } from "./spare-thread.ts";

let fixture: StageFixture;
beforeAll(async () => {
  fixture = await createStageFixture();
});
afterAll(() => fixture.close());

const SOURCE = "export const handler = async () => process.env.SEEN ?? 'nothing';";

function described(more: Partial<FunctionRuntime> = {}): Promise<FunctionRuntime> {
  return fixture.function("F", SOURCE, more);
}

describe("a spare thread", () => {
  let spare: SpareThread;
  beforeAll(() => {
    spare = createSpareThread(`${fixture.folder}/dist/worker.js`);
  });

  async function taken(runtime: FunctionRuntime): Promise<Worker> {
    let worker: Worker | null = null;
    await until(() => {
      worker ??= spare.take(runtime);
      return worker !== null;
    });
    if (worker === null) throw new Error("no thread was ready");
    return worker;
  }

  it("is ready a moment after it was asked for, once", async () => {
    const runtime = await described();
    spare.prepare(runtime);
    spare.prepare(runtime);
    const worker = await taken(runtime);
    expect(spare.take(runtime)).toBeNull();
    await worker.terminate();
  });

  it("suits no function that is allowed other memory or starts Node.js in another way", async () => {
    const runtime = await described();
    const large = await described({ memoryMb: 512 });
    const flagged = await described({ environment: { NODE_OPTIONS: "--enable-source-maps" } });
    spare.prepare(runtime);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([spare.take(large), spare.take(flagged)]).toEqual([null, null]);
    await (await taken(runtime)).terminate();
  });

  it("is given up when it is not wanted for long", async () => {
    const runtime = await described();
    spare.prepare(runtime);
    spare.reap(performance.now() + 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(spare.take(runtime)).toBeNull();
  });
});

describe("a function that is changed again and again", () => {
  it("has exactly the environment of its newest version", async () => {
    const host = fixture.host();
    const port = await freePort();
    const apis = [fixture.api(port, { $default: "F" })];
    const seen: string[] = [];
    for (const [index, value] of ["one", null, "three", null].entries()) {
      const environment = value === null ? { OTHER: "x" } : { SEEN: value };
      await host.apply(fixture.runtime(index + 1, [await described({ environment })], apis));
      seen.push((await ask(port, "/")).body);
      // Long enough for the thread of the next version to be started ahead.
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(seen).toEqual(["one", "nothing", "three", "nothing"]);
    await host.close();
  });
});
