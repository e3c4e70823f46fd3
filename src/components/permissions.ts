import { ComponentComputed, type NodeValue, type Permission } from "./node.ts";
import { list, type Members, object, optional, type Parse } from "./options/parse.ts";
import { oneOf, text } from "./options/scalars.ts";
import { type Input, Output } from "./output.ts";

/** What the role of a function may do, or what a link allows. */
export interface PermissionArgs {
  /** For example `["s3:GetObject"]`. */
  actions: string[];
  /** ARNs, or `["*"]`. */
  resources: Input<string>[];
  /** @default "allow" */
  effect?: "allow" | "deny";
}

/** A string that may be an output. */
export const inputString: Parse<NodeValue> = (value, at) =>
  value instanceof Output ? Output.valueOf(value) : text(value, at);

/** One permission as users write it. */
export const permission: Parse<Permission> = object({
  actions: list(text),
  resources: list(inputString),
  effect: optional(oneOf("allow", "deny"), "allow"),
} satisfies Members<PermissionArgs>);

/** The option `permissions`. */
export const permissions: Parse<readonly Permission[]> = list(permission);

/** Everything on a resource and on what lies below it, as in `arn` and `arn/*`. */
export function allowAll(service: string, arn: NodeValue): Permission {
  const below = new ComponentComputed([arn], ([known]) => `${known}/*`, "string");
  return { effect: "allow", actions: [`${service}:*`], resources: [arn, below] };
}
