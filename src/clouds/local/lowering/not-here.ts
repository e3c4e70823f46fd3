import { type DiagnosticError, fail } from "../../../model/diagnostic.ts";
import type { GoalOwner } from "../../lowering/goal.ts";

/** The refusal, at plan time, of something that only another cloud can do. */
export function notHere(owner: GoalOwner, what: string): DiagnosticError {
  return fail(
    "LOCAL_NOT_SUPPORTED",
    `${owner.name} asks for ${what}, which the local cloud lacks`,
    {
      hint: "Leave it out for stages on the local cloud, for example by $app.stage.",
      ...(owner.source === null ? {} : { source: owner.source }),
    },
  );
}
