import { type DiagnosticError, fail } from "../../../model/diagnostic.ts";
import type { GoalOwner } from "../../lowering/goal.ts";

/** The refusal, at plan time, of something that stages on AWS cannot have yet. */
export function notOnAws(owner: GoalOwner, what: string, hint: string): DiagnosticError {
  return fail(
    "AWS_NOT_SUPPORTED",
    `${owner.name} asks for ${what}, which is not there on AWS yet`,
    {
      hint,
      ...(owner.source === null ? {} : { source: owner.source }),
    },
  );
}
