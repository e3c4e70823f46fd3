import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Verdict } from "../../home/owner/liveness.ts";
import { ownerOfThisProcess } from "../../home/owner/owner.ts";
import { DiagnosticError } from "../../model/diagnostic.ts";
import { type DevLock, takeDevLock } from "./dev-lock.ts";

describe("the lock of a run of dev", () => {
  let folder: string;
  const locks: DevLock[] = [];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "scrim-dev-lock-")), "dev");
  });
  afterEach(() => {
    for (const lock of locks.splice(0)) lock.release();
    rmSync(join(folder, ".."), { recursive: true, force: true });
  });

  function take(verdict: Verdict = "alive", stage = "ada"): DevLock {
    const lock = takeDevLock({ folder, app: "shop", stage, liveness: { check: () => verdict } });
    locks.push(lock);
    return lock;
  }

  function file(): string {
    return join(folder, readdirSync(folder)[0] ?? "");
  }

  it("is refused to a second one, which learns who has it", () => {
    take();
    try {
      take();
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const [problem] = error.diagnostics;
      expect([problem.code, problem.exit]).toEqual(["DEV_RUNNING", 3]);
      expect(problem.why).toContain(`process ${process.pid}`);
    }
  });

  it("is one for each stage, by its exact name", () => {
    take();
    take("alive", "Ada");
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("is free when it was released, which leaves nothing", () => {
    const first = take();
    first.release();
    first.release();
    expect(readdirSync(folder)).toEqual([]);
    take();
  });

  it("is taken from a dead holder, whose release comes too late", () => {
    const dead = take();
    const text = readFileSync(file(), "utf8");
    writeFileSync(file(), text.replace(`"pid":${process.pid}`, '"pid":1'));
    take("dead");
    dead.release();
    expect(() => take()).toThrow("is under scrim dev already");
  });

  it("is taken from a holder that cannot be seen when it has been silent for long", () => {
    take();
    expect(() => take("unknown")).toThrow("is under scrim dev already");
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file(), longAgo, longAgo);
    take("unknown");
  });

  it.each(["", "{}", '{"who":1}', "null", JSON.stringify(ownerOfThisProcess())])(
    "is taken where the file is damaged: %j",
    (text) => {
      take();
      writeFileSync(file(), text);
      take();
      expect(readdirSync(folder)).toHaveLength(1);
    },
  );
});
