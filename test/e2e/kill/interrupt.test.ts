import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../../support/project.ts";
import { recordedStage } from "../../support/reality.ts";
import { KILL_PRELOAD, startPaused } from "./lifecycle.ts";
import { VERSIONS } from "./ten-resources.ts";
import { assertSound } from "./verdict.ts";

const DEPLOY = ["deploy", "--stage", "s"];

describe("a deploy that is asked to stop", () => {
  let project: Project;

  beforeEach(() => {
    project = makeProject({ ...VERSIONS.create.files });
  });
  afterEach(() => project.dispose());

  it.each([
    { signal: "SIGINT", exit: 130, moment: "after link log/" },
    { signal: "SIGINT", exit: 130, moment: "sent PUT /v1/stages" },
    { signal: "SIGTERM", exit: 143, moment: "answered PUT /v1/stages" },
  ])(
    "by $signal $moment finishes what is in flight, lets go, and is completed by a rerun",
    async ({ signal, exit, moment }) => {
      const env = { SCRIM_TEST_KILL_AT: moment, SCRIM_TEST_KILL_SIGNAL: signal };
      const flags = ["--import", KILL_PRELOAD];
      const stopped = await project.start(DEPLOY, { nodeFlags: flags, env }).result;
      expect(stopped).toMatchObject({ exit });
      const stage = { home: project.home, app: "ten", stage: "s" };
      const { snapshot, head } = await recordedStage(stage);
      expect(head.holder).toBe(null);
      expect(snapshot.openIntents).toEqual([]);
      expect(snapshot.resources.length).toBeLessThan(10);
      const rerun = await project.scrim([...DEPLOY, "--json"]);
      expect(rerun).toMatchObject({ exit: 0 });
      await assertSound(stage, { ...VERSIONS.create, ...JSON.parse(rerun.stdout).outputs });
    },
  );

  it("leaves at once when it is asked twice, and is completed by a rerun all the same", async () => {
    const stopped = await startPaused(project, DEPLOY, "sent PUT /v1/stages");
    stopped.kill("SIGINT");
    stopped.kill("SIGTERM");
    stopped.kill("SIGCONT");
    expect([130, 143]).toContain((await stopped.result).exit);
    const rerun = await project.scrim([...DEPLOY, "--json"]);
    expect(rerun).toMatchObject({ exit: 0 });
    const stage = { home: project.home, app: "ten", stage: "s" };
    await assertSound(stage, { ...VERSIONS.create, ...JSON.parse(rerun.stdout).outputs });
  });
});
