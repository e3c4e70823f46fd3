import type { ApiGatewayV2Node, RouteSpec } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { ResourceGoal } from "../../../model/resource.ts";
import { Computed, Ref } from "../../../model/value.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { corsInputs } from "../../lowering/cors-inputs.ts";
import { goalOf } from "../../lowering/goal.ts";
import { AWS_TYPES } from "../types.ts";
import { checkTransformed } from "./check-transformed.ts";
import { type FunctionGoals, functionGoals } from "./lower-function.ts";
import { permissionGoal } from "./permission-goal.ts";

/** The longest that an HTTP API waits for a function. */
const INTEGRATION_TIMEOUT_MS = 30_000;

/** An ApiGatewayV2 component: the API and its stage, and for each route a function and what leads to it. */
export function lowerApi(node: ApiGatewayV2Node, context: LoweringContext): Lowered {
  const inputs = { cors: corsInputs(node.cors) };
  const after = checkTransformed(node, "api", inputs, applyTransform(node, "api", inputs));
  const api = goalOf(node, "", AWS_TYPES.api, after);
  const stage = goalOf(node, "", AWS_TYPES.apiStage, { api: new Ref(api.urn, "id") });
  const routes = node.routes.map((route) => routeGoals(node, api, route, context));
  return {
    goals: [api, stage, ...routes.flatMap(({ goals }) => goals)],
    shared: routes.flatMap(({ shared }) => shared),
    outputs: { url: new Ref(api.urn, "url"), id: new Ref(api.urn, "id") },
  };
}

function routeGoals(
  node: ApiGatewayV2Node,
  api: ResourceGoal,
  route: RouteSpec,
  context: LoweringContext,
): Pick<FunctionGoals, "goals" | "shared"> {
  const suffix = `/${route.routeKey}`;
  const { goal, goals, shared } = functionGoals(node, suffix, route.function, context);
  const apiId = new Ref(api.urn, "id");
  const permission = permissionGoal(node, suffix, {
    function: new Ref(goal.urn, "name"),
    action: "lambda:InvokeFunction",
    principal: "apigateway.amazonaws.com",
    // One for all paths: what a function may be called by is limited to 20 kB.
    sourceArn: new Computed([new Ref(api.urn, "executionArn")], ([arn]) => `${arn}/*`),
  });
  const integration = goalOf(node, suffix, AWS_TYPES.integration, {
    api: apiId,
    functionArn: new Ref(goal.urn, "arn"),
    timeoutMs: INTEGRATION_TIMEOUT_MS,
  });
  const inputs = {
    api: apiId,
    routeKey: route.routeKey,
    integration: new Ref(integration.urn, "id"),
  };
  const after = checkTransformed(node, "route", inputs, applyTransform(node, "route", inputs));
  // Only for plans, which warn when it goes: the function itself turns away whom its authorizer refuses.
  const auth = route.auth === null ? {} : { auth: route.auth.component };
  const target: ResourceGoal = {
    ...goalOf(node, suffix, AWS_TYPES.route, { ...after, ...auth }),
    // A route that leads where it may not call would answer 500.
    dependsOn: [permission.urn],
  };
  return { goals: [...goals, permission, integration, target], shared };
}
