import type { FunctionNode, FunctionSpec, Link } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { ResourceGoal } from "../../../model/resource.ts";
import { Ref, type ValueObject } from "../../../model/value.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { corsInputs } from "../../lowering/cors-inputs.ts";
import { type GoalOwner, goalOf } from "../../lowering/goal.ts";
import { plainObject } from "../../lowering/plain-value.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { checkTransformed } from "./check-transformed.ts";

/** A Function component: the function, and its URL when it has one. */
export function lowerFunction(node: FunctionNode, context: LoweringContext): Lowered {
  const { goal, url } = functionGoals(node, "", node.function, context);
  return {
    goals: url === null ? [goal] : [goal, url],
    outputs: {
      name: new Ref(goal.urn, "name"),
      arn: new Ref(goal.urn, "arn"),
      ...(url === null ? {} : { url: new Ref(url.urn, "url") }),
    },
  };
}

/**
 * The resources of a function wherever it is written. Permissions are not enforced here, so they
 * make none.
 *
 * @param suffix as in {@link goalOf}
 */
export function functionGoals(
  owner: GoalOwner,
  suffix: string,
  spec: FunctionSpec,
  context: LoweringContext,
): { readonly goal: ResourceGoal; readonly url: ResourceGoal | null } {
  const name = owner.name + suffix;
  const inputs = transformed(owner, name, spec, "function", functionInputs(name, spec, context));
  const goal = goalOf(owner, suffix, LOCAL_TYPES.function, inputs);
  if (spec.url === null) return { goal, url: null };
  const target = { name, function: new Ref(goal.urn, "name"), cors: corsInputs(spec.url.cors) };
  const urlInputs = transformed(owner, name, spec, "url", target);
  return { goal, url: goalOf(owner, suffix, LOCAL_TYPES.functionUrl, urlInputs) };
}

function functionInputs(name: string, spec: FunctionSpec, context: LoweringContext): ValueObject {
  const { hash, handler } = context.bundle(spec);
  return {
    name,
    bundle: hash,
    handler,
    timeoutMs: spec.timeoutMs,
    memoryMb: spec.memoryMb,
    concurrency: spec.concurrency,
    environment: plainObject(spec.environment),
    links: linkInputs(spec.links),
  };
}

function linkInputs(links: readonly Link[]): ValueObject {
  return Object.fromEntries(
    links.map(({ name, type, properties }) => [name, { type, ...plainObject(properties) }]),
  );
}

function transformed(
  owner: GoalOwner,
  name: string,
  spec: FunctionSpec,
  part: "function" | "url",
  inputs: ValueObject,
): ValueObject {
  const { source, transform = {} } = spec;
  const after = applyTransform({ name, source, transform }, part, inputs);
  return checkTransformed({ ...owner, source: source ?? owner.source }, part, inputs, after);
}
