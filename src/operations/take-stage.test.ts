import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StageLog } from "../home/journal.ts";
import type { EpochStatus } from "../model/record.ts";
import { systemClock } from "../system/clock.ts";
import { systemRandom } from "../system/random.ts";
import type { OperationContext } from "./context.ts";
import { openHome } from "./open-home.ts";
import { takeStage, withHeldStage } from "./take-stage.ts";

let folder: string;
let context: OperationContext;
let log: StageLog;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "scrim-take-"));
  context = {
    cwd: folder,
    env: { SCRIM_HOME: join(folder, "home"), SCRIM_KEY_DIR: join(folder, "keys") },
    clock: systemClock,
    random: systemRandom,
    version: "1.0.0",
    emit: () => undefined,
    signal: new AbortController().signal,
    ask: null,
  };
  const home = await openHome({ home: "local", config: null, env: context.env }, context);
  log = home.stage("shop", "dev");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = { command: "refresh", lockTimeoutMs: 0 };

async function deployed(status: EpochStatus): Promise<void> {
  const { head } = await log.read();
  const epoch = await takeStage(log, head, { command: "deploy", lockTimeoutMs: 0 }, context);
  if (epoch === "moved") throw new Error("nobody else is here");
  await epoch.end(status);
}

async function statuses(): Promise<string[]> {
  return (await log.history(10)).map(({ command, status }) => `${command} ${status}`);
}

describe("a change of records alone", () => {
  it.each(["done", "failed", "interrupted"] as const)(
    "leaves a stage whose deploy ended %s as it was",
    async (status) => {
      await deployed(status);
      expect(await withHeldStage(log, options, context, async () => "value")).toBe("value");
      expect(await statuses()).toEqual([`refresh ${status}`, `deploy ${status}`]);
    },
  );

  it("lets the stage go when it fails", async () => {
    await deployed("done");
    const work = withHeldStage(log, options, context, async () => {
      throw new Error("no answer");
    });
    await expect(work).rejects.toThrow("no answer");
    expect((await log.read()).head.holder).toBeNull();
    expect(await statuses()).toEqual(["refresh done", "deploy done"]);
  });

  it("is refused while another command of a live process holds the stage", async () => {
    await deployed("done");
    const { head } = await log.read();
    const held = await takeStage(log, head, options, context);
    const refused = withHeldStage(log, options, context, async () => "value");
    await expect(refused).rejects.toMatchObject({ diagnostics: [{ code: "STAGE_LOCKED" }] });
    if (held !== "moved") await held.end("done");
  });
});
