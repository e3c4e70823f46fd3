import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../system/clock.ts";
import { localFolders } from "../../folders.ts";
import { currentProcess } from "../../process-identity.ts";
import { claimHome } from "./claim.ts";

let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "scrim-claims-"));
  folder = localFolders(home).claims;
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function writeClaim(number: number, more: Partial<ReturnType<typeof currentProcess>>): string {
  const file = join(folder, `${String(number).padStart(10, "0")}.json`);
  writeFileSync(file, JSON.stringify({ ...currentProcess(), ...more }));
  return file;
}

/** A number that no process has: one of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the claim on a home", () => {
  it("is taken once", async () => {
    expect(await claimHome(home, systemClock)).not.toBeNull();
    expect(await claimHome(home, systemClock)).toBeNull();
  });

  it("is taken by exactly one of many that ask at the same time", async () => {
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => claimHome(home, systemClock)),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  it("of a process that has ended is taken over, and the old one swept", async () => {
    writeClaim(7, { pid: await endedPid() });
    expect(await claimHome(home, systemClock)).not.toBeNull();
    expect(readdirSync(folder)).toEqual(["0000000008.json"]);
  });

  it("of an ended process whose number another one has since is taken over", async () => {
    writeClaim(1, { pidStart: "1" });
    expect(await claimHome(home, systemClock)).not.toBeNull();
  });

  it("is not won by one that comes late with a number that was swept", async () => {
    writeClaim(9, {});
    const { createDurably } = await import("../../durable-file.ts");
    expect(await createDurably(join(folder, "0000000005.json"), "{}")).toBe(true);
    expect(await claimHome(home, systemClock)).toBeNull();
  });

  it("of a home that was copied is not one on the copy, and stays that of the first", async () => {
    expect(await claimHome(home, systemClock)).not.toBeNull();
    const copy = `${home}-copy`;
    cpSync(home, copy, { recursive: true });
    try {
      expect(await claimHome(copy, systemClock)).not.toBeNull();
      expect(await claimHome(copy, systemClock)).toBeNull();
      expect(await claimHome(home, systemClock)).toBeNull();
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it("of a home that was moved holds until its server has ended", async () => {
    expect(await claimHome(home, systemClock)).not.toBeNull();
    const moved = `${home}-moved`;
    renameSync(home, moved);
    try {
      expect(await claimHome(moved, systemClock)).toBeNull();
      // Somebody goes on with the old path.
      mkdirSync(home);
      expect(await claimHome(moved, systemClock)).toBeNull();
    } finally {
      rmSync(moved, { recursive: true, force: true });
    }
  });

  it("of another container holds as long as it is touched", async () => {
    const file = writeClaim(1, { pidNamespace: "pid:[1]" });
    const timer = setInterval(() => utimesSync(file, new Date(), new Date()), 30);
    expect(await claimHome(home, systemClock, 5_000)).toBeNull();
    clearInterval(timer);
    expect(await claimHome(home, systemClock, 300)).not.toBeNull();
  });

  it("of another container that was released is taken over without watching it", async () => {
    const claim = await claimHome(home, systemClock);
    writeFileSync(
      join(folder, "0000000001.json"),
      JSON.stringify({ ...currentProcess(), pidNamespace: "pid:[1]" }),
    );
    await claim?.release();
    const sleep = () => Promise.reject(new Error("watched"));
    expect(await claimHome(home, { ...systemClock, sleep })).not.toBeNull();
  });

  it("that is damaged is nobody's", async () => {
    writeFileSync(join(folder, "0000000003.json"), "");
    expect(await claimHome(home, systemClock)).not.toBeNull();
  });
});
