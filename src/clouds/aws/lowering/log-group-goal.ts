import type { ResourceGoal } from "../../../model/resource.ts";
import { urnOf } from "../../../model/urn.ts";
import type { LoweringContext } from "../../cloud.ts";
import { logGroupName } from "../resources/logs/log-group-name.ts";
import { AWS_TYPES } from "../types.ts";

/** A month; what a log group keeps without being told grows for ever. */
const RETENTION_DAYS = 30;
/** The name of what belongs to no component. */
const NAME = "Logs";

/** The one log group that all functions of a stage write to. */
export function logGroupGoal({ app, stage }: LoweringContext): ResourceGoal {
  return {
    urn: urnOf(AWS_TYPES.logGroup, NAME),
    type: AWS_TYPES.logGroup,
    ...{ name: NAME, component: NAME, dependsOn: [], aliases: [] },
    inputs: { name: logGroupName(app, stage), retentionDays: RETENTION_DAYS },
  };
}
