import { readFileSync, readlinkSync } from "node:fs";
import type { ProcessFacts } from "./liveness.ts";

/** Facts from Linux's /proc. Elsewhere nothing can be told, and then only a holder's silence counts. */
export const processFacts: ProcessFacts = {
  get bootId() {
    return orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  },
  get pidNamespace() {
    return orEmpty(() => readlinkSync("/proc/self/ns/pid"));
  },
  startOf(pid) {
    const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
    if (stat !== "") return startInStat(stat);
    return isRunning(pid) ? "" : null;
  },
};

/**
 * Field 22 of /proc/<pid>/stat (proc_pid_stat(5)): clock ticks since boot. Null for a process that has ended and only
 * waits to be reaped. The second field may hold spaces and brackets, so fields are counted behind the last bracket.
 */
export function startInStat(stat: string): string | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  if (state === "Z" || state === "X") return null;
  return fields[19] ?? "";
}

/** /proc may hide the processes of others (hidepid); a signal of 0 tells them from ended ones. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
