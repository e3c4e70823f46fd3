import type { ResourceGoal } from "../../../model/resource.ts";
import type { Value } from "../../../model/value.ts";
import { type GoalOwner, goalOf } from "../../lowering/goal.ts";
import { AWS_TYPES } from "../types.ts";

/** Who may call a function, and how. */
export interface PermissionInputs {
  /** Its name. */
  readonly function: Value;
  readonly action: string;
  readonly principal: string;
  readonly sourceArn?: Value;
  readonly urlAuthType?: "NONE";
  readonly viaUrl?: true;
}

/** The goal that lets someone else call a function. */
export function permissionGoal(
  owner: GoalOwner,
  suffix: string,
  { sourceArn, urlAuthType, viaUrl, ...rest }: PermissionInputs,
): ResourceGoal {
  const inputs = {
    ...rest,
    sourceArn: sourceArn ?? null,
    urlAuthType: urlAuthType ?? null,
    viaUrl: viaUrl ?? false,
  };
  return goalOf(owner, suffix, AWS_TYPES.permission, inputs);
}
