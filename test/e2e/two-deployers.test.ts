import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CliProcess } from "../support/cli.ts";
import { eventually } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { realResources, recordedStage, type StageOfHome } from "../support/reality.ts";
import { exhaustive } from "../support/require.ts";
import { startPaused } from "./kill/lifecycle.ts";
import { VERSIONS } from "./kill/ten-resources.ts";
import { assertSound } from "./kill/verdict.ts";

const DEPLOY = ["deploy", "--stage", "shared"];

describe("two deploys of one stage", () => {
  let project: Project;
  let stage: StageOfHome;
  const paused: CliProcess[] = [];

  beforeEach(() => {
    project = makeProject({ ...VERSIONS.create.files });
    stage = { home: project.home, app: "ten", stage: "shared" };
  });

  afterEach(async () => {
    for (const process of paused.splice(0)) process.kill("SIGKILL");
    await project.dispose();
  });

  async function pausedAt(moment: string): Promise<CliProcess> {
    const process = await startPaused(project, DEPLOY, moment);
    paused.push(process);
    return process;
  }

  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) project.write(file, text);
  };

  const outputs = async () => {
    const { stdout } = await project.scrim([...DEPLOY, "--json"]);
    return JSON.parse(stdout).outputs;
  };

  it("exclude each other: the second exits 3 and names the holder", async () => {
    const first = await pausedAt("sent PUT /v1/stages");
    const second = await project.scrim(DEPLOY);
    expect(second.exit).toBe(3);
    expect(second.stderr).toContain(`Process ${first.pid} runs "deploy"`);
    expect(second.stderr).toMatch(/is held by \S+@\S+/);
    first.kill("SIGCONT");
    expect(await first.result).toMatchObject({ exit: 0 });
    await assertSound(stage, { ...VERSIONS.create, ...(await outputs()) });
  });

  it("are not separated by an unlock while the holder lives", async () => {
    const first = await pausedAt("sent PUT /v1/stages");
    const unlocked = await project.scrim(["unlock", "--stage", "shared"]);
    expect(unlocked.exit).toBe(3);
    expect(unlocked.stderr).toContain(`Process ${first.pid} runs "deploy"`);
    expect(unlocked.stderr).toContain("scrim unlock --stage shared --force");
    first.kill("SIGCONT");
    expect(await first.result).toMatchObject({ exit: 0 });
  });

  it("follow each other with --lock-timeout", async () => {
    const first = await pausedAt("sent PUT /v1/stages");
    write(VERSIONS.update.files);
    const second = project.start([...DEPLOY, "--lock-timeout", "50s"]);
    expect(await eventually(() => second.output().stdout.includes("waiting for"))).toBe(true);
    first.kill("SIGCONT");
    expect(await first.result).toMatchObject({ exit: 0 });
    expect(await second.result).toMatchObject({ exit: 0 });
    await assertSound(stage, { ...VERSIONS.update, ...(await outputs()) });
  });

  it("never both proceed, however many start at once", async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => project.scrim(DEPLOY)));
    const exits = results.map(({ exit }) => exit);
    expect(exits.every((exit) => exit === 0 || exit === 3)).toBe(true);
    expect(exits).toContain(0);
    await assertSound(stage, { ...VERSIONS.create, ...(await outputs()) });
  });

  it.each(["before HEAD /v1/stages", "before PUT /v1/stages", "answered PUT /v1/stages"])(
    "leave the stage to the one that overtook the other, paused %s",
    async (moment) => {
      expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
      write({
        "src/answer.ts": VERSIONS.create.files["src/answer.ts"]?.replace("one", "lost") ?? "",
      });
      const first = await pausedAt(moment);
      expect(await project.scrim(["unlock", "--stage", "shared", "--force"])).toMatchObject({
        exit: 0,
      });
      write(VERSIONS.update.files);
      expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
      const before = await realResources(stage);
      const { head } = await recordedStage(stage);
      first.kill("SIGCONT");
      const woken = await first.result;
      expect(woken).toMatchObject({ exit: 3 });
      expect(woken.stderr).toContain("was taken over");
      expect(await realResources(stage)).toEqual(before);
      expect((await recordedStage(stage)).head).toEqual(head);
      await assertSound(stage, { ...VERSIONS.update, ...(await outputs()) });
    },
  );

  it.runIf(exhaustive)(
    "let a holder that is silent for a minute be overtaken",
    { timeout: 180_000 },
    async () => {
      const first = await pausedAt("before PUT /v1/stages");
      write(VERSIONS.update.files);
      const second = await project.scrim([...DEPLOY, "--lock-timeout", "2m"], {
        timeoutMs: 150_000,
      });
      expect(second).toMatchObject({ exit: 0 });
      first.kill("SIGCONT");
      expect(await first.result).toMatchObject({ exit: 3 });
      await assertSound(stage, { ...VERSIONS.update, ...(await outputs()) });
    },
  );
});
