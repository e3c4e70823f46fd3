import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeStore } from "../../testing/store-conformance.ts";
import { DirectoryStore } from "./directory.ts";
import type { Disk } from "./disk.ts";
import { nodeDisk } from "./node-disk.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scrim-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describeStore("directory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scrim-store-"));
  return {
    open: () => new DirectoryStore(join(folder, "home"), nodeDisk),
    cleanUp: () => rm(folder, { recursive: true, force: true }),
  };
});

/** The real disk, on which one call fails with a code. */
function failing(call: keyof Disk, code: string): Disk {
  return {
    ...nodeDisk,
    [call]: () => {
      throw Object.assign(new Error(code), { code });
    },
  };
}

/** A program that tries to take 100 slots and sends the ones that it got. */
async function bundleRacer(): Promise<string> {
  const outfile = join(await temporaryFolder(), "racer.mjs");
  const contents = `
    import { DirectoryStore } from "./directory.ts";
    import { nodeDisk } from "./node-disk.ts";
    const store = new DirectoryStore(process.argv[2], nodeDisk);
    const won = [];
    for (let slot = 0; slot < 100; slot += 1) {
      const answer = await store.putIfAbsent("log/" + slot, Buffer.from(String(process.pid)));
      if (answer === "created") won.push(slot);
    }
    process.send(won, () => process.disconnect());
  `;
  const resolveDir = dirname(fileURLToPath(import.meta.url));
  await build({
    stdin: { contents, resolveDir, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  return outfile;
}

describe("a store in a folder", () => {
  it("makes folders and files that only their owner can use", async () => {
    const home = join(await temporaryFolder(), "deep", "home");
    const store = new DirectoryStore(home, nodeDisk);
    await store.putIfAbsent("state/a/1", Buffer.from("x"));
    for (const folder of [home, join(home, "state"), join(home, "state", "a")])
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, "state", "a", "1"))).mode & 0o777).toBe(0o600);
  });

  it("leaves no draft behind, and makes nothing by reading", async () => {
    const home = join(await temporaryFolder(), "home");
    const store = new DirectoryStore(home, nodeDisk);
    expect(await store.list("", 10)).toEqual([]);
    await expect(stat(home)).rejects.toThrow("ENOENT");
    await store.putIfAbsent("k", Buffer.from("1"));
    await store.putIfAbsent("k", Buffer.from("2"));
    expect(await readdir(join(home, ".drafts"))).toEqual([]);
  });

  it("refuses a folder that others may write to", async () => {
    const home = await temporaryFolder();
    await chmod(home, 0o770);
    const store = new DirectoryStore(home, nodeDisk);
    const refusal = { diagnostics: [{ code: "HOME_UNSAFE", exit: 6 }] };
    await expect(store.get("k")).rejects.toMatchObject(refusal);
    await expect(store.list("", 1)).rejects.toMatchObject(refusal);
    await expect(store.putIfAbsent("k", new Uint8Array())).rejects.toMatchObject(refusal);
  });

  it.each([
    ["writeNew", "ENOSPC", "HOME_FULL"],
    ["writeNew", "EDQUOT", "HOME_FULL"],
    ["writeNew", "EROFS", "HOME_UNWRITABLE"],
    ["writeNew", "EIO", "HOME_UNWRITABLE"],
    ["makeFolder", "EACCES", "HOME_UNWRITABLE"],
    ["syncFolder", "EIO", "HOME_UNWRITABLE"],
    ["link", "EPERM", "HOME_WITHOUT_LINKS"],
    ["link", "ENOTSUP", "HOME_WITHOUT_LINKS"],
  ] as const)("tells a write that fails in %s with %s as %s", async (call, errno, code) => {
    const home = join(await temporaryFolder(), "home");
    const store = new DirectoryStore(home, failing(call, errno));
    await expect(store.putIfAbsent("state/k", Buffer.from("x"))).rejects.toMatchObject({
      exit: 6,
      diagnostics: [{ code }],
    });
  });

  it("tells a folder that cannot be read as HOME_UNREADABLE", async () => {
    const store = new DirectoryStore(await temporaryFolder(), failing("read", "EIO"));
    await expect(store.get("k")).rejects.toMatchObject({
      diagnostics: [{ code: "HOME_UNREADABLE", exit: 6 }],
    });
  });

  it("tells a file in place of its folder, which is not the same as nothing", async () => {
    const file = join(await temporaryFolder(), "file");
    await writeFile(file, "");
    const refusal = { diagnostics: [{ code: "HOME_UNREADABLE", exit: 6 }] };
    const store = new DirectoryStore(file, nodeDisk);
    await expect(store.list("", 1)).rejects.toMatchObject(refusal);
    await expect(store.putIfAbsent("k", new Uint8Array())).rejects.toMatchObject(refusal);
  });

  it("ignores files that are not its own", async () => {
    const home = await temporaryFolder();
    const store = new DirectoryStore(home, nodeDisk);
    await mkdir(join(home, "state"));
    await writeFile(join(home, "state", ".DS_Store"), "");
    await writeFile(join(home, "state", "copy of 1"), "");
    await store.putIfAbsent("state/1", Buffer.from("x"));
    expect(await store.list("state/", 10)).toEqual(["state/1"]);
  });

  it("sweeps drafts that an ended process left, and no younger ones", async () => {
    const home = await temporaryFolder();
    const drafts = join(home, ".drafts");
    await mkdir(drafts);
    await writeFile(join(drafts, "1-1"), "torn");
    await writeFile(join(drafts, "2-1"), "under way");
    await utimes(join(drafts, "1-1"), 1_600_000_000, 1_600_000_000);
    await new DirectoryStore(home, nodeDisk).putIfAbsent("k", Buffer.from("x"));
    expect(await readdir(drafts)).toEqual(["2-1"]);
  });

  it("goes on where a draft of the same name was left", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, ".drafts"));
    await writeFile(join(home, ".drafts", `${process.pid}-1`), "torn");
    const store = new DirectoryStore(home, nodeDisk);
    expect(await store.putIfAbsent("k", Buffer.from("x"))).toBe("created");
  });

  it.each(["", "/k", "a//b", "../k", "a/../../k", ".drafts/x", "a\\b", "a b", "C:k", "k\0"])(
    "never touches what the key %j would name",
    async (key) => {
      const store = new DirectoryStore(await temporaryFolder(), nodeDisk);
      await expect(store.putIfAbsent(key, new Uint8Array())).rejects.toThrow("not a key");
      await expect(store.get(key)).rejects.toThrow("not a key");
      await expect(store.delete(key)).rejects.toThrow("not a key");
    },
  );

  it("gives each slot to one of several processes, and loses none", async () => {
    const home = await temporaryFolder();
    const racer = await bundleRacer();
    const racers = [1, 2, 3].map(() =>
      fork(racer, [home], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    );
    const won = await Promise.all(
      racers.map(async (child) => {
        const ended = once(child, "exit");
        const [message] = await once(child, "message");
        await ended;
        return message as readonly number[];
      }),
    );
    expect(won.flat().sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, slot) => slot),
    );
  });
});
