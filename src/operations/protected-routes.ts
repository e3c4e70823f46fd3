import {
  ComponentComputed,
  type ComponentNode,
  ComponentRef,
  type NodeValue,
  type Permission,
  type RouteSpec,
} from "../components/node.ts";
import type { Json } from "../model/json.ts";
import type { Plan } from "../model/plan.ts";

/** What the function of a protected route may do: what its handler and its authorizer may. */
export interface ProtectedRoute {
  /** For example `Api/GET /me`. */
  readonly route: string;
  /** Name of the Auth component. */
  readonly auth: string;
  readonly permissions: readonly GrantedPermission[];
}

export interface GrantedPermission {
  readonly effect: "allow" | "deny";
  readonly actions: readonly string[];
  /** ARNs; outputs that are not known before they exist by their names, such as `Notes.arn`. */
  readonly resources: readonly string[];
}

/** The protected routes that a plan makes or changes, in the order of the config. Pure. */
export function changedProtectedRoutes(
  nodes: readonly ComponentNode[],
  plan: Plan,
): readonly ProtectedRoute[] {
  const changed = new Set(
    plan.steps.flatMap((step) => (step.action !== "same" && "goal" in step ? step.goal.name : [])),
  );
  const apis = nodes.filter((node) => node.kind === "ApiGatewayV2");
  const all = apis.flatMap((api) => api.routes.flatMap((route) => protectedRoute(api.name, route)));
  return all.filter(({ route }) => changed.has(route));
}

function protectedRoute(api: string, spec: RouteSpec): readonly ProtectedRoute[] {
  const { auth, routeKey } = spec;
  if (auth === null) return [];
  const { links, permissions } = spec.function;
  const granted = [...links.flatMap((link) => link.permissions), ...permissions].map(readable);
  const distinct = new Map(granted.map((each) => [JSON.stringify(each), each]));
  return [
    { route: `${api}/${routeKey}`, auth: auth.component, permissions: [...distinct.values()] },
  ];
}

function readable({ effect, actions, resources }: Permission): GrantedPermission {
  return { effect, actions, resources: resources.map((value) => String(textOf(value))) };
}

function textOf(value: NodeValue): Json {
  if (typeof value === "string") return value;
  if (value instanceof ComponentRef) return `${value.component}.${value.output}`;
  if (!(value instanceof ComponentComputed)) return "(known after apply)";
  try {
    const computed = value.compute(value.inputs.map(textOf));
    return textOf(computed);
  } catch {
    // Written for the true value, which is not there yet.
    return "(known after apply)";
  }
}
