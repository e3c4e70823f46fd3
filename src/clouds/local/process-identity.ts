import { machineLiveness } from "../../home/owner/liveness.ts";
import { processFacts } from "../../home/owner/process-facts.ts";

/** Names one process; enough to tell it from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the unit the machine counts it; "" where it cannot be told. */
  readonly pidStart: string;
  /** Identity of the boot and of the pid namespace; "" where they cannot be told. */
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** This process. */
export function currentProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    pidStart: processFacts.startOf(process.pid) ?? "",
    bootId: processFacts.bootId,
    pidNamespace: processFacts.pidNamespace,
  };
}

/**
 * Whether a process still runs; `unknown` for one of another container, or where the machine tells
 * too little.
 */
export function livenessOf(process: ProcessIdentity): "alive" | "dead" | "unknown" {
  const verdict = machineLiveness(processFacts).check({ who: "", ...process });
  if (verdict !== "unknown") return verdict;
  const sameMachine = process.bootId === "" && processFacts.bootId === "";
  return sameMachine && processFacts.startOf(process.pid) === null ? "dead" : "unknown";
}

/** Whether a process of this number runs. */
export function isRunning(pid: number): boolean {
  return processFacts.startOf(pid) !== null;
}
