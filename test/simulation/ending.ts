import type { Ending } from "../../src/testing/simulated-deployer.ts";

/** Whether a job did all it was to do. */
export function isDone(ending: Ending): boolean {
  return ending.kind === "ended" && (ending.result === null || ending.result.status === "done");
}

/** How a job ended, in words for a failing test. */
export function told(ending: Ending): string {
  switch (ending.kind) {
    case "crashed":
      return "a crash";
    case "error":
      return `${ending.error.diagnostics[0].code}: ${ending.error.message}`;
    case "ended": {
      const failed = ending.result?.failed.map(({ diagnostic }) => diagnostic.message) ?? [];
      return [ending.result?.status ?? "nothing to do", ...failed].join("; ");
    }
  }
}
