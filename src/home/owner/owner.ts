import { hostname, userInfo } from "node:os";
import type { Owner } from "../../model/record.ts";
import type { ProcessFacts } from "./liveness.ts";
import { processFacts } from "./process-facts.ts";

/** This process, as the holder of a stage. */
export function ownerOfThisProcess(facts: ProcessFacts = processFacts): Owner {
  return {
    who: `${userName()}@${hostname()}`,
    pid: process.pid,
    pidStart: facts.startOf(process.pid) ?? "",
    bootId: facts.bootId,
    pidNamespace: facts.pidNamespace,
  };
}

/** The user's name; the number of the user where no name belongs to it, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
