import { expect, it } from "vitest";
import { seededNumbers } from "../../testing/disk-seed.ts";
import { SimulatedDisk, type SimulatedProcess } from "../../testing/disk-simulated.ts";
import { countingRandom, create, options, SteppedClock } from "../../testing/store-stage.ts";
import { stagePlace } from "../log/stage-place.ts";
import { DirectoryStore } from "../stores/directory.ts";
import { StoredStageLog } from "./stage-log.ts";

const SEEDS = 250;

function stageOn(process: SimulatedProcess, seed: number): StoredStageLog {
  const place = stagePlace(new DirectoryStore("/home/ada/home", process), "shop", "dev");
  const liveness = { check: () => "dead" as const };
  return new StoredStageLog({
    place,
    clock: new SteppedClock(),
    random: countingRandom(seed),
    liveness,
  });
}

/** Deploys until the process ends; adds the names of what was acknowledged. */
async function deployUntilTheEnd(log: StoredStageLog, life: number, made: string[]): Promise<void> {
  for (let deploy = 0; deploy < 3; deploy += 1) {
    const epoch = await log.begin((await log.read()).head, options());
    if (epoch === "moved") throw new Error("moved");
    for (const part of ["a", "b", "c"]) {
      const name = `R${life}${deploy}${part}`;
      await create(epoch, name);
      made.push(name);
    }
    await epoch.end("done");
  }
}

it(`no acknowledged record is lost when processes end and the power goes, in ${SEEDS} histories`, async () => {
  let crashes = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const next = seededNumbers(seed);
    const disk = new SimulatedDisk(next);
    const made: string[] = [];
    for (let life = 0; life < 3; life += 1) {
      const last = Math.floor(next() * 150);
      const process = disk.process((effect) => (effect === last ? "torn" : null));
      await deployUntilTheEnd(stageOn(process, seed * 10 + life), life, made).catch(
        (error: unknown) => {
          if (!process.hasEnded) throw error;
          crashes += 1;
        },
      );
      if (next() < 0.7) disk.cutPower();
      const { snapshot } = await stageOn(disk.process(), seed * 10 + 9).read();
      const names = new Set(snapshot.resources.map(({ name }) => name));
      const lost = made.filter((name) => !names.has(name));
      expect({ seed, lost }).toEqual({ seed, lost: [] });
    }
  }
  expect(crashes).toBeGreaterThan(SEEDS);
});
