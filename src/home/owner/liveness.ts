import type { Owner } from "../../model/record.ts";

/** What can be told about a holder from here. `unknown` means that only its silence counts. */
export type Verdict = "alive" | "dead" | "unknown";

/** Tells whether the process that holds a stage still runs. */
export interface Liveness {
  check(owner: Owner): Verdict;
}

/** What this machine tells about processes; "" where it does not. */
export interface ProcessFacts {
  readonly bootId: string;
  readonly pidNamespace: string;
  /** When a process started, in the unit the machine counts it; null when there is no such process any more. */
  startOf(pid: number): string | null;
}

/**
 * Judges by boot, pid namespace, pid and start time: only where all four are known on both sides is a process known
 * to be alive or dead. A number that was given to another process since has another start time.
 */
export function machineLiveness(facts: ProcessFacts): Liveness {
  return {
    check(owner) {
      const known = [owner.bootId, owner.pidNamespace, owner.pidStart, facts.bootId];
      if (known.includes("") || owner.pidNamespace !== facts.pidNamespace) return "unknown";
      if (owner.bootId !== facts.bootId) return "unknown";
      const start = facts.startOf(owner.pid);
      if (start === "") return "unknown";
      return start === owner.pidStart ? "alive" : "dead";
    },
  };
}
