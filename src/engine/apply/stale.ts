import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { Urn } from "../../model/urn.ts";

/** The plan does not fit what was found; nothing was done for this resource. */
export function planStale(urn: Urn, why: string): DiagnosticError {
  return fail("PLAN_STALE", `The plan is stale for ${urn}, run deploy again`, {
    why,
    hint: "The next deploy plans with what is known now.",
    exit: EXIT.failed,
  });
}

/** A resource that state knows is not there any more. */
export function resourceGone(urn: Urn): DiagnosticError {
  return fail("RESOURCE_GONE", `${urn} no longer exists, run deploy again`, {
    why: "It was deleted by something other than this tool. Its record was removed.",
    hint: "The next deploy makes it anew.",
    exit: EXIT.failed,
  });
}

/** How an earlier change of the resource came out could not be found out; another could make two of it. */
export function unsettled(urn: Urn): DiagnosticError {
  return fail("RESOURCE_UNSETTLED", `An interrupted change of ${urn} could not be looked into`, {
    why: "Before it is known how that came out, nothing else is done to the resource.",
    hint: "Run the command again when the resource can be read.",
    exit: EXIT.failed,
  });
}
