import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sealEnvelope } from "../../../src/home/log/envelope.ts";
import { endServer } from "../../support/cli.ts";
import { appConfig, makeProject, type Project } from "../../support/project.ts";
import { realResources } from "../../support/reality.ts";
import { allowed } from "../../support/require.ts";
import { root } from "../../support/root.ts";
import { treeDigest } from "../../support/tree-digest.ts";

const bucket = (name: string): string =>
  appConfig({ run: `new scrim.aws.Bucket(${JSON.stringify(name)});` });
const DEPLOY = ["deploy", "--stage", "dev"];

/** A stage with one bucket, and another stage beside it; its state can be put back as it was. */
class DeployedProject {
  readonly project: Project = makeProject({ "scrim.config.ts": bucket("Files") });
  readonly saved: string = join(this.project.home, "../saved");
  readonly state: string = join(this.project.home, "state");

  async deploy(): Promise<void> {
    for (const stage of ["dev", "other"]) {
      expect(await this.project.scrim(["deploy", "--stage", stage])).toMatchObject({ exit: 0 });
    }
    cpSync(this.state, this.saved, { recursive: true });
  }

  restore(): void {
    rmSync(this.state, { recursive: true });
    cpSync(this.saved, this.state, { recursive: true });
  }

  folder(part: "log" | "snap"): string {
    return join(this.state, "a-hello/s-dev", part);
  }

  /** Frames of the log, the newest first. */
  frames(): readonly string[] {
    return readdirSync(this.folder("log"))
      .sort()
      .map((name) => join(this.folder("log"), name));
  }
}

describe("a damaged file of a stage", () => {
  const home = new DeployedProject();
  const { project } = home;
  beforeAll(() => home.deploy());
  afterEach(() => home.restore());
  afterAll(() => project.dispose());

  const flipBit = (bytes: Buffer): Buffer => {
    const at = bytes.indexOf("bucket");
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    return flipped;
  };
  const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ["empty", () => Buffer.alloc(0)],
    ["half", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["of NUL bytes", (bytes) => Buffer.alloc(bytes.length)],
    ["with a flipped bit", flipBit],
    ["with conflict markers", (bytes) => Buffer.concat([Buffer.from("<<<<<<< HEAD\n"), bytes])],
    ["edited by hand", (bytes) => Buffer.from(bytes.toString().replaceAll("bucket", "basket"))],
    ["another's", () => Buffer.from("hello\n")],
  ];

  it.each(DAMAGES)("that is %s stops every command that changes the stage", async (_, damage) => {
    rmSync(home.folder("snap"), { recursive: true });
    const file =
      home.frames().find((frame) => readFileSync(frame).includes("local:bucket")) ?? "none";
    writeFileSync(file, damage(readFileSync(file)));
    const before = treeDigest(home.state);
    for (const args of [DEPLOY, ["remove", "--stage", "dev"]]) {
      const { exit, stderr } = await project.scrim(args);
      expect(stderr).toContain(`The file ${file} is damaged`);
      expect(stderr).toMatch(/Everything up to serial \d+ is good/);
      expect(exit).toBe(6);
    }
    expect(treeDigest(home.state)).toBe(before);
  });

  it("at the head is told by state list, which lists the others all the same", async () => {
    const [head = ""] = home.frames();
    writeFileSync(head, "hello\n");
    const { exit, stdout } = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(stdout).stages).toMatchObject([
      { stage: "dev", status: "corrupt", problem: expect.stringContaining(head) },
      { stage: "other", status: "deployed" },
    ]);
    expect(exit).toBe(7);
    expect(await project.scrim(["deploy", "--stage", "other"])).toMatchObject({ exit: 0 });
  });

  it("that is the whole log is not taken for a new stage", async () => {
    rmSync(home.folder("log"), { recursive: true });
    const { exit, stderr } = await project.scrim(DEPLOY);
    expect(stderr).toContain("the frames of the log that it was made from are missing");
    expect(exit).toBe(6);
  });

  it("that is gone with all others makes nothing over what the cloud still has", async () => {
    const before = await realResources({ home: project.home, app: "hello", stage: "dev" });
    rmSync(join(home.folder("log"), ".."), { recursive: true });
    const { exit, stdout, stderr } = await project.scrim(DEPLOY);
    expect(stdout).toContain("New stage: dev will be created");
    expect(stderr).toMatch(/\(local:bucket::Files\) belongs to app hello, stage dev, lineage \w/);
    expect(exit).toBe(1);
    expect(await realResources({ home: project.home, app: "hello", stage: "dev" })).toEqual(before);
  });

  it("that is another stage's is not taken for its own", async () => {
    const [head = ""] = home.frames();
    rmSync(home.folder("snap"), { recursive: true });
    cpSync(head.replace("s-dev", "s-other"), head);
    const { exit, stderr } = await project.scrim(DEPLOY);
    expect(stderr).toContain("is damaged: it does not follow the frame before it");
    expect(exit).toBe(6);
  });

  it("that was torn at the end, as by a power cut, is noted and gone on from", async () => {
    const [head = ""] = home.frames();
    truncateSync(head, 20);
    const { exit, stdout, stderr } = await project.scrim(DEPLOY);
    expect(`${stdout}${stderr}`).toContain("was ignored: it ends in the middle");
    expect(exit).toBe(0);
    const listed = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(listed.stdout).stages).toMatchObject([
      { stage: "dev", resources: 1 },
      { stage: "other", resources: 1 },
    ]);
  });

  it("of a later version is left alone, and names what reads it", async () => {
    const [head = ""] = home.frames();
    writeFileSync(head, sealEnvelope('{"format":99,"requires":"9.8.7"}').bytes);
    const before = treeDigest(home.state);
    for (const args of [DEPLOY, ["remove", "--stage", "dev"], ["unlock", "--stage", "dev"]]) {
      const { exit, stderr } = await project.scrim(args);
      expect(stderr).toContain(`Reading ${head} needs 9.8.7`);
      expect(stderr).toContain("Install version 9.8.7 or newer.");
      expect(exit).toBe(6);
    }
    expect(treeDigest(home.state)).toBe(before);
  });
});

describe("a home", () => {
  const home = new DeployedProject();
  const { project } = home;
  beforeAll(() => home.deploy());
  afterEach(() => project.write("scrim.config.ts", bucket("Files")));
  afterAll(() => project.dispose());

  it("whose disk fills up at any write stops safely, and is gone on with later", async () => {
    const nodeFlags = ["--import", join(root, "test/support/full-disk.mjs")];
    const stops: string[] = [];
    for (let writes = 0; stops.at(-1) !== "none"; writes += 1) {
      project.write("scrim.config.ts", bucket(`Files${writes}`));
      const env = {
        SCRIM_TEST_FULL_FOLDER: project.home,
        SCRIM_TEST_FULL_AFTER: String(writes),
      };
      const { exit, stderr } = await project.scrim(DEPLOY, { env, nodeFlags });
      stops.push(/There is no room left in (\S+) \(ENOSPC\)/.exec(stderr)?.[1] ?? "none");
      expect(exit, stderr).toBe(stops.at(-1) === "none" ? 0 : 6);
      expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
    }
    expect(stops.length).toBeGreaterThan(4);
    expect(new Set(stops)).toEqual(new Set([project.home, "none"]));
    const { stdout } = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(stdout).stages[0]).toMatchObject({ stage: "dev", resources: 1 });
  });

  it("whose own file is damaged starts no server for another home", async () => {
    const file = join(project.home, "home.json");
    const good = readFileSync(file);
    await endServer(project.home);
    writeFileSync(file, "{");
    project.write("scrim.config.ts", bucket("More"));
    const { exit, stderr } = await project.scrim(DEPLOY);
    expect(stderr).toContain(`The file ${file} is damaged`);
    expect(exit).toBe(6);
    writeFileSync(file, good);
    expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
  });

  it("that is a file is told as such", async () => {
    project.write("a-file", "");
    const env = { SCRIM_HOME: join(project.folder, "a-file") };
    const { exit, stderr } = await project.scrim(DEPLOY, { env });
    expect(stderr).toContain(join(project.folder, "a-file"));
    expect(exit).toBe(6);
  });

  it("that is empty lists no stages", async () => {
    const env = { SCRIM_HOME: join(project.folder, "not-there") };
    const { exit, stdout } = await project.scrim(["state", "list"], { env });
    expect(stdout).toContain("No stages");
    expect(exit).toBe(0);
  });
});

/** Only who may mount can have a disk that is really full or read-only. */
const mayMount = ((): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return spawnSync("mount", ["--version"]).status === 0;
})();

describe.skipIf(!allowed("mounting", mayMount))("a home on a disk of its own", () => {
  const home = new DeployedProject();
  const { project } = home;
  let isMounted = false;
  beforeAll(async () => {
    project.write("../home/.keep", "");
    rmSync(join(project.home, ".keep"));
    isMounted =
      spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", project.home])
        .status === 0;
    if (isMounted) await home.deploy();
  });
  afterAll(async () => {
    await endServer(project.home);
    if (isMounted) spawnSync("umount", ["-l", project.home]);
    await project.dispose();
  });

  it("that is full keeps what it has, and goes on when there is room", async (context) => {
    context.skip(!allowed("mounting", isMounted));
    project.write("scrim.config.ts", bucket("Second"));
    const filler = join(project.home, "filler");
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"]);
    const before = treeDigest(home.state);
    const { exit, stderr } = await project.scrim(DEPLOY);
    expect(stderr).toContain(`There is no room left in ${project.home} (ENOSPC)`);
    expect(exit).toBe(6);
    expect(treeDigest(home.state)).toBe(before);
    rmSync(filler);
    expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
  });

  it("that is read-only can be read, and is not deployed from", async (context) => {
    context.skip(!allowed("mounting", isMounted));
    project.write("scrim.config.ts", bucket("Third"));
    await endServer(project.home);
    // Busy for a moment, until the functions of the killed server have ended too.
    const remount = () => spawnSync("mount", ["-o", "remount,ro", project.home]).status;
    await expect.poll(remount, { timeout: 10_000 }).toBe(0);
    for (const args of [
      ["state", "list"],
      ["state", "show", "--stage", "dev"],
      ["diff", "--stage", "dev"],
    ]) {
      const { exit, stderr } = await project.scrim(args);
      expect(exit, stderr).toBe(0);
    }
    const { exit, stdout, stderr } = await project.scrim(DEPLOY);
    expect(stderr).toContain(`${project.home}`);
    expect(stdout).not.toContain("created");
    expect(exit).toBe(6);
    spawnSync("mount", ["-o", "remount,rw", project.home]);
    expect(await project.scrim(DEPLOY)).toMatchObject({ exit: 0 });
  });
});
