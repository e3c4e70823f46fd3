import { Computed, Ref, Sensitive, type Value } from "../model/value.ts";
import {
  ComponentComputed,
  type ComponentNode,
  ComponentRef,
  type FunctionSpec,
  type Link,
  type NodeValue,
  type Permission,
  type RouteAuth,
} from "./node.ts";

/** Finds what an output of a component was lowered to. */
export type Lookup = (ref: ComponentRef) => Value;

/** Replaces every component output in a value by what it was lowered to. */
export function substitute(value: NodeValue, lookup: Lookup): Value {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof ComponentRef) return lookup(value);
  if (value instanceof ComponentComputed) {
    const inputs = value.inputs.map((input) => substitute(input, lookup));
    return new Computed(inputs, (known) => substitute(value.compute(known), lookup));
  }
  if (value instanceof Ref || value instanceof Sensitive || value instanceof Computed) return value;
  if (Array.isArray(value)) return value.map((item: NodeValue) => substitute(item, lookup));
  return mapMembers(value as Readonly<Record<string, NodeValue>>, (member) =>
    substitute(member, lookup),
  );
}

/**
 * The node with every component output replaced, as `Cloud.lower` wants it; the very node where there is none, as in
 * most of them. Functions are copies: {@link functionsOf} lists those of the node and of its copy in the same order.
 */
export function substituteNode<Node extends ComponentNode>(node: Node, lookup: Lookup): Node {
  if (!holdsOutputs(node)) return node;
  const value = (member: NodeValue): Value => substitute(member, lookup);
  return changed(node, membersFor(node, value)) as Node;
}

type Change = (value: NodeValue) => Value;

function membersFor(node: ComponentNode, change: Change): Partial<ComponentNode> {
  const transform = transformed(node.transform, change);
  switch (node.kind) {
    case "Function":
      return { transform, function: functionSpec(node.function, change) };
    case "ApiGatewayV2":
      return {
        transform,
        routes: node.routes.map((route) =>
          changed(route, {
            function: functionSpec(route.function, change),
            auth: route.auth === null ? null : authorized(route.auth, change),
          }),
        ),
      };
    case "Auth":
      return { transform, authorizer: functionSpec(node.authorizer, change) };
    case "Linkable":
      return {
        transform,
        properties: mapMembers(node.properties, change),
        permissions: node.permissions.map((item) => permission(item, change)),
      };
    case "CognitoUserPoolClient":
      return {
        transform,
        pool: change(node.pool),
        callbackUrls: node.callbackUrls.map(change),
        logoutUrls: node.logoutUrls.map(change),
      };
    case "Bucket":
    case "CognitoUserPool":
    case "Dynamo":
    case "Secret":
      return { transform };
  }
}

function functionSpec(spec: FunctionSpec, change: Change): FunctionSpec {
  return changed(spec, {
    environment: mapMembers(spec.environment, change),
    links: spec.links.map((item) => link(item, change)),
    permissions: spec.permissions.map((item) => permission(item, change)),
    transform: transformed(spec.transform ?? {}, change),
    ...(spec.authorizer && { authorizer: functionSpec(spec.authorizer, change) }),
  });
}

function authorized(auth: RouteAuth, change: Change): RouteAuth {
  return { ...auth, authorizer: functionSpec(auth.authorizer, change) };
}

function link(item: Link, change: Change): Link {
  return {
    ...item,
    properties: mapMembers(item.properties, change),
    permissions: item.permissions.map((each) => permission(each, change)),
  };
}

function permission(item: Permission, change: Change): Permission {
  return { ...item, resources: item.resources.map(change) };
}

function transformed(
  transform: Readonly<Record<string, unknown>>,
  change: Change,
): Readonly<Record<string, unknown>> {
  const each = (part: unknown): unknown =>
    typeof part === "function" ? part : change(part as NodeValue);
  return Object.fromEntries(Object.entries(transform).map(([part, value]) => [part, each(value)]));
}

/** The functions of a component that are bundled, in a fixed order. */
export function functionsOf(node: ComponentNode): readonly FunctionSpec[] {
  if (node.kind === "Function") return [node.function];
  if (node.kind === "ApiGatewayV2") return node.routes.map((route) => route.function);
  return [];
}

/** Every component output that a value or node names, in the order met, with repeats. */
export function refsOf(value: unknown): readonly ComponentRef[] {
  const found: ComponentRef[] = [];
  collectRefs(value, found);
  return found;
}

function collectRefs(value: unknown, found: ComponentRef[]): void {
  if (value === null || typeof value !== "object") return;
  if (value instanceof ComponentRef) {
    found.push(value);
    return;
  }
  if (value instanceof Ref || value instanceof Sensitive || value instanceof Computed) return;
  if (value instanceof ComponentComputed) {
    for (const input of value.inputs) collectRefs(input, found);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) collectRefs(item, found);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    if (!isSource(members, key)) collectRefs(members[key], found);
  }
}

/** Whether a value or node holds anything that {@link substitute} replaces. */
function holdsOutputs(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (value instanceof ComponentRef || value instanceof ComponentComputed) return true;
  if (value instanceof Ref || value instanceof Sensitive || value instanceof Computed) return false;
  if (Array.isArray(value)) return value.some(holdsOutputs);
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members).some((key) => !isSource(members, key) && holdsOutputs(members[key]));
}

/** Whether a member is the getter `source` of a node or function; asking for it would read the source map. */
function isSource(members: object, key: string): boolean {
  return key === "source" && Object.getOwnPropertyDescriptor(members, key)?.get !== undefined;
}

function mapMembers<T>(
  members: Readonly<Record<string, NodeValue>>,
  change: (value: NodeValue) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, change(value)]));
}

/** A copy with some members replaced; getters are copied as getters. */
function changed<T extends object>(original: T, members: Partial<T>): T {
  const copy: T = Object.create(Object.getPrototypeOf(original), {
    ...Object.getOwnPropertyDescriptors(original),
    ...Object.getOwnPropertyDescriptors(members),
  });
  return copy;
}
