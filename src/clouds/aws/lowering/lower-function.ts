import type { FunctionNode, FunctionSpec, Link } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { ResourceGoal } from "../../../model/resource.ts";
import { Ref, type ValueObject } from "../../../model/value.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { corsInputs } from "../../lowering/cors-inputs.ts";
import { type GoalOwner, goalOf } from "../../lowering/goal.ts";
import { plainObject } from "../../lowering/plain-value.ts";
import { AWS_TYPES } from "../types.ts";
import { checkTransformed } from "./check-transformed.ts";
import { logGroupGoal } from "./log-group-goal.ts";
import { notOnAws } from "./not-on-aws.ts";
import { permissionGoal } from "./permission-goal.ts";
import { roleStatements } from "./role-statements.ts";

/** A Function component: its role, the function, and its URL when it has one. */
export function lowerFunction(node: FunctionNode, context: LoweringContext): Lowered {
  const { goal, url, goals, shared } = functionGoals(node, "", node.function, context);
  return {
    goals,
    shared,
    outputs: {
      name: new Ref(goal.urn, "name"),
      arn: new Ref(goal.urn, "arn"),
      ...(url === null ? {} : { url: new Ref(url.urn, "url") }),
    },
  };
}

/** The resources of a function. */
export interface FunctionGoals {
  readonly goal: ResourceGoal;
  readonly url: ResourceGoal | null;
  /** All, those above among them. */
  readonly goals: readonly ResourceGoal[];
  readonly shared: readonly ResourceGoal[];
}

/**
 * The resources of a function wherever it is written.
 *
 * @param suffix as in `goalOf`
 * @throws DiagnosticError `AWS_NOT_SUPPORTED` (exit 2) for a transform of its log group
 */
export function functionGoals(
  owner: GoalOwner,
  suffix: string,
  spec: FunctionSpec,
  context: LoweringContext,
): FunctionGoals {
  if (spec.transform?.["logGroup"] !== undefined) {
    throw notOnAws(owner, "a log group of its own", "Leave out transform.logGroup.");
  }
  const change = transformer(owner, suffix, spec);
  const logGroup = logGroupGoal(context);
  const role = goalOf(
    owner,
    suffix,
    AWS_TYPES.role,
    change("role", {
      service: "lambda.amazonaws.com",
      statements: roleStatements(spec, logGroup),
    }),
  );
  const inputs = functionInputs(spec, role, logGroup, context);
  const goal = goalOf(owner, suffix, AWS_TYPES.function, change("function", inputs));
  const shared = [logGroup];
  if (spec.url === null) return { goal, url: null, goals: [role, goal], shared };
  const url = goalOf(
    owner,
    suffix,
    AWS_TYPES.functionUrl,
    change("url", { function: new Ref(goal.urn, "name"), cors: corsInputs(spec.url.cors) }),
  );
  const goals = [role, goal, url, ...publicCalls(owner, suffix, goal)];
  return { goal, url, goals, shared };
}

/**
 * Lets anyone call a function by its URL, which takes two permissions
 * (docs.aws.amazon.com/lambda/latest/dg/urls-auth.html).
 */
function publicCalls(owner: GoalOwner, suffix: string, goal: ResourceGoal) {
  const anyone = { function: new Ref(goal.urn, "name"), principal: "*" };
  return [
    permissionGoal(owner, `${suffix}/url`, {
      ...{ ...anyone, action: "lambda:InvokeFunctionUrl", urlAuthType: "NONE" },
    }),
    permissionGoal(owner, `${suffix}/via-url`, {
      ...{ ...anyone, action: "lambda:InvokeFunction", viaUrl: true },
    }),
  ];
}

function functionInputs(
  spec: FunctionSpec,
  role: ResourceGoal,
  logGroup: ResourceGoal,
  context: LoweringContext,
): ValueObject {
  const { hash, handler } = context.bundle(spec);
  return {
    bundle: hash,
    handler,
    runtime: spec.runtime,
    architecture: spec.architecture,
    description: spec.description,
    timeoutMs: spec.timeoutMs,
    memoryMb: spec.memoryMb,
    concurrency: spec.concurrency,
    role: new Ref(role.urn, "arn"),
    logGroup: new Ref(logGroup.urn, "name"),
    environment: plainObject(spec.environment),
    links: linkInputs(spec.links),
  };
}

function linkInputs(links: readonly Link[]): ValueObject {
  return Object.fromEntries(
    links.map(({ name, type, properties }) => [name, { type, ...plainObject(properties) }]),
  );
}

/** Applies the transforms of a function's parts. */
function transformer(owner: GoalOwner, suffix: string, spec: FunctionSpec) {
  const { source, transform = {} } = spec;
  const name = owner.name + suffix;
  return (part: "function" | "role" | "url", inputs: ValueObject): ValueObject => {
    const after = applyTransform({ name, source, transform }, part, inputs);
    return checkTransformed({ ...owner, source: source ?? owner.source }, part, inputs, after);
  };
}
