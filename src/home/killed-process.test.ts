import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../system/clock.ts";
import { systemRandom } from "../system/random.ts";
import { options } from "../testing/store-stage.ts";
import { openKeyFolder } from "./keys/stored-key-ring.ts";
import { openDirectoryHome } from "./open-home.ts";
import { ownerOfThisProcess } from "./owner/owner.ts";

/** A program that takes a stage, records a resource a time and tells each that is durable. */
async function bundleWriter(outfile: string): Promise<void> {
  const contents = `
    import { systemClock as clock } from "../system/clock.ts";
    import { systemRandom as random } from "../system/random.ts";
    import { create, options } from "../testing/store-stage.ts";
    import { openKeyFolder } from "./keys/stored-key-ring.ts";
    import { openDirectoryHome } from "./open-home.ts";
    import { ownerOfThisProcess } from "./owner/owner.ts";
    const [, , folder, life] = process.argv;
    const keys = openKeyFolder(folder + "/keys", random, clock);
    const log = openDirectoryHome(folder + "/home", { clock, random, keys }).stage("shop", "dev");
    const owner = ownerOfThisProcess();
    const epoch = await log.begin((await log.read()).head, options({ owner }));
    for (let index = 0; index < 100_000; index += 1) {
      const name = "R" + life + "-" + index;
      await create(epoch, name);
      process.send(name);
    }
  `;
  const resolveDir = dirname(fileURLToPath(import.meta.url));
  await build({
    stdin: { contents, resolveDir, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  });
}

it("a process killed at any moment leaves a stage that the next one takes at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scrim-killed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const writer = join(folder, "writer.mjs");
  await bundleWriter(writer);
  const acknowledged: string[] = [];
  const lives = 4;
  for (let life = 0; life < lives; life += 1) {
    const child = fork(writer, [folder, String(life)], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const ended = once(child, "exit");
    await new Promise<void>((resolve) => {
      let count = 0;
      child.on("message", (name) => {
        acknowledged.push(String(name));
        count += 1;
        if (count === 5 + life * 3) resolve();
      });
    });
    child.kill("SIGKILL");
    await ended;
  }
  const clock = systemClock;
  const random = systemRandom;
  const keys = openKeyFolder(join(folder, "keys"), random, clock);
  const log = openDirectoryHome(join(folder, "home"), { clock, random, keys }).stage("shop", "dev");
  const epoch = await log.begin((await log.read()).head, options({ owner: ownerOfThisProcess() }));
  if (epoch === "moved") throw new Error("moved");
  expect(epoch.epoch).toBe(lives + 1);
  const names = new Set(epoch.snapshot().resources.map(({ name }) => name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  await epoch.end("done");
  expect((await log.history(10)).map(({ status }) => status)).toEqual([
    "done",
    ...Array.from({ length: lives }, () => "interrupted"),
  ]);
});
