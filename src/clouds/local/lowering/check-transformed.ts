import type { ValueObject } from "../../../model/value.ts";
import { checkTransformed as check, type GoalOwner } from "../../lowering/goal.ts";

/** As of every cloud, for this one. @throws DiagnosticError `TRANSFORM_KEY_UNKNOWN` (exit 2) */
export function checkTransformed(
  owner: GoalOwner,
  part: string,
  before: ValueObject,
  after: ValueObject,
): ValueObject {
  return check("the local cloud", owner, part, before, after);
}
