import type { SourceLocation } from "../../model/diagnostic.ts";
import { fail } from "../../model/diagnostic.ts";
import type { ResourceGoal } from "../../model/resource.ts";
import { urnOf } from "../../model/urn.ts";
import type { ValueObject } from "../../model/value.ts";

/** What a component's resources have in common. */
export interface GoalOwner {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly source: SourceLocation | null;
}

/**
 * The goal for one resource of a component.
 *
 * @param suffix what follows the component's name in the resource's, for example `/GET /notes`
 */
export function goalOf(
  owner: GoalOwner,
  suffix: string,
  type: string,
  inputs: ValueObject,
): ResourceGoal {
  return {
    urn: urnOf(type, owner.name + suffix),
    type,
    name: owner.name + suffix,
    component: owner.name,
    inputs,
    dependsOn: [],
    aliases: owner.aliases.map((alias) => urnOf(type, alias + suffix)),
  };
}

/**
 * Refuses an input that a transform has added and that a cloud would ignore.
 *
 * @param cloud in words, for the message
 * @throws DiagnosticError `TRANSFORM_KEY_UNKNOWN` (exit 2)
 */
export function checkTransformed(
  cloud: string,
  owner: GoalOwner,
  part: string,
  before: ValueObject,
  after: ValueObject,
): ValueObject {
  const unknown = Object.keys(after).find((key) => !Object.hasOwn(before, key));
  if (unknown === undefined) return after;
  const known = Object.keys(before).sort().join(", ");
  throw fail("TRANSFORM_KEY_UNKNOWN", `transform.${part} of ${owner.name} sets ${unknown}`, {
    why: `On ${cloud} its inputs are ${known}.`,
    hint: "Set one of these, or transform only on the cloud that knows the input.",
    ...(owner.source === null ? {} : { source: owner.source }),
  });
}
