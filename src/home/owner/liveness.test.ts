import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { machineLiveness, type ProcessFacts } from "./liveness.ts";
import { ownerOfThisProcess } from "./owner.ts";
import { processFacts, startInStat } from "./process-facts.ts";

const owner = { who: "ada@engine", pid: 7, pidStart: "100", bootId: "b", pidNamespace: "n" };

function facts(changes: Partial<ProcessFacts>): ProcessFacts {
  return { bootId: "b", pidNamespace: "n", startOf: () => "100", ...changes };
}

describe("whether a holder lives", () => {
  it("is told by boot, namespace, pid and start time together", () => {
    expect(machineLiveness(facts({})).check(owner)).toBe("alive");
    expect(machineLiveness(facts({ startOf: () => null })).check(owner)).toBe("dead");
    expect(machineLiveness(facts({ startOf: () => "101" })).check(owner)).toBe("dead");
  });

  it("is not known across machines, boots and namespaces, or where one of them cannot be told", () => {
    const gone = { startOf: () => null };
    for (const change of [{ bootId: "c" }, { pidNamespace: "m" }, { bootId: "" }])
      expect(machineLiveness(facts({ ...gone, ...change })).check(owner)).toBe("unknown");
    for (const change of [{ bootId: "" }, { pidNamespace: "" }, { pidStart: "" }])
      expect(machineLiveness(facts(gone)).check({ ...owner, ...change })).toBe("unknown");
    expect(machineLiveness(facts({ startOf: () => "" })).check(owner)).toBe("unknown");
  });
});

describe("a line of /proc/<pid>/stat", () => {
  const rest = Array.from({ length: 30 }, (_, index) => `${index + 4}`).join(" ");

  it("tells the start time behind any name", () => {
    expect(startInStat(`7 (a ) b) S ${rest}`)).toBe("22");
  });

  it("tells that a process only waits to be reaped", () => {
    expect(startInStat(`7 (node) Z ${rest}`)).toBeNull();
  });
});

describe.skipIf(!existsSync("/proc/self/stat"))("this machine", () => {
  const liveness = machineLiveness(processFacts);

  it("knows that this process lives", () => {
    expect(liveness.check(ownerOfThisProcess())).toBe("alive");
  });

  it("knows that a killed process is dead, also before it is reaped", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      stdio: "ignore",
    });
    const pid = child.pid ?? 0;
    const holder = { ...ownerOfThisProcess(), pid, pidStart: processFacts.startOf(pid) ?? "" };
    expect(liveness.check(holder)).toBe("alive");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(liveness.check(holder)).toBe("dead");
  });
});
