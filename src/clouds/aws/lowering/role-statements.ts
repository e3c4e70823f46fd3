import type { FunctionSpec, Permission } from "../../../components/node.ts";
import type { ResourceGoal } from "../../../model/resource.ts";
import { Computed, Ref, type Value } from "../../../model/value.ts";
import { plainValue } from "../../lowering/plain-value.ts";

/**
 * What a function may do: write its log, what each link allows, and what it is permitted besides. Nothing else; the
 * same twice counts once.
 */
export function roleStatements(spec: FunctionSpec, logGroup: ResourceGoal): readonly Value[] {
  const permissions = new Set<Permission>([
    ...spec.links.flatMap((link) => link.permissions),
    ...spec.permissions,
  ]);
  return [writesLog(logGroup), ...[...permissions].map(statementOf)];
}

function writesLog(logGroup: ResourceGoal): Value {
  const streams = new Computed([new Ref(logGroup.urn, "arn")], ([arn]) => `${arn}:*`);
  return {
    effect: "allow",
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [streams],
  };
}

function statementOf({ effect, actions, resources }: Permission): Value {
  return { effect, actions: [...actions], resources: resources.map(plainValue) };
}
