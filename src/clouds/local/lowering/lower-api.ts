import type { ApiGatewayV2Node, RouteSpec } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { ResourceGoal } from "../../../model/resource.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { corsInputs } from "../../lowering/cors-inputs.ts";
import { goalOf } from "../../lowering/goal.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { checkTransformed } from "./check-transformed.ts";
import { functionGoals } from "./lower-function.ts";

/** An ApiGatewayV2 component: the API, and for each route a function and the route to it. */
export function lowerApi(node: ApiGatewayV2Node, context: LoweringContext): Lowered {
  const inputs = { name: node.name, cors: corsInputs(node.cors) };
  const after = checkTransformed(node, "api", inputs, applyTransform(node, "api", inputs));
  const api = goalOf(node, "", LOCAL_TYPES.api, after);
  const routes = node.routes.flatMap((route) => routeGoals(node, api, route, context));
  return {
    goals: [api, ...routes],
    outputs: { url: new Ref(api.urn, "url"), id: new Ref(api.urn, "id") },
  };
}

function routeGoals(
  node: ApiGatewayV2Node,
  api: ResourceGoal,
  route: RouteSpec,
  context: LoweringContext,
): readonly ResourceGoal[] {
  const suffix = `/${route.routeKey}`;
  const { goal, url } = functionGoals(node, suffix, route.function, context);
  const inputs = {
    api: new Ref(api.urn, "id"),
    routeKey: route.routeKey,
    function: new Ref(goal.urn, "name"),
  };
  const after = checkTransformed(node, "route", inputs, applyTransform(node, "route", inputs));
  // Only for plans, which warn when it goes: the function itself turns away whom its authorizer refuses.
  const auth = route.auth === null ? {} : { auth: route.auth.component };
  const target = goalOf(node, suffix, LOCAL_TYPES.route, { ...after, ...auth });
  return url === null ? [goal, target] : [goal, url, target];
}
