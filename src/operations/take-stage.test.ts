import { expect, it } from "vitest";
import { StoredStageLog } from "../home/epochs/stage-log.ts";
import { stagePlace } from "../home/log/stage-place.ts";
import { MemoryStore } from "../home/stores/memory.ts";
import { EXIT, fail } from "../model/diagnostic.ts";
import type { EngineEvent } from "../model/event.ts";
import { countingRandom, SteppedClock } from "../testing/store-stage.ts";
import type { OperationContext } from "./context.ts";
import { withHeldStage } from "./take-stage.ts";

const options = { command: "refresh", lockTimeoutMs: 0 };

function stage() {
  const store = new MemoryStore();
  const clock = new SteppedClock();
  const random = countingRandom();
  const place = stagePlace(store, "shop", "dev");
  const log = new StoredStageLog({ place, clock, random, liveness: { check: () => "unknown" } });
  const told: EngineEvent[] = [];
  const context: OperationContext = {
    ...{ cwd: "/", env: {}, clock, random, version: "1.0.0", ask: null },
    emit: (event) => told.push(event),
    signal: new AbortController().signal,
  };
  return { store, place, log, told, context };
}

it("keeps a stage that is changed again and again from growing for ever", async () => {
  const { store, place, log, context } = stage();
  for (let change = 0; change < 30; change += 1) {
    await withHeldStage(log, options, context, async () => undefined);
  }
  expect(await store.list(place.snapshotPrefix, 100)).toHaveLength(10);
  expect((await log.read()).snapshot.serial).toBe(60);
});

it("is done although what is old could not be deleted, and says so", async () => {
  const { store, log, told, context } = stage();
  for (let change = 0; change < 10; change += 1) {
    await withHeldStage(log, options, context, async () => undefined);
  }
  store.delete = () =>
    Promise.reject(fail("HOME_UNWRITABLE", "The home is read-only now", { exit: EXIT.home }));
  expect(await withHeldStage(log, options, context, async () => "value")).toBe("value");
  expect(told).toMatchObject([{ diagnostic: { severity: "warning", code: "HOME_UNWRITABLE" } }]);
});
