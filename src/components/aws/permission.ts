import { CallSite } from "../call-site.ts";
import { currentLocator } from "../evaluation.ts";
import type { Permission } from "../node.ts";
import { Place } from "../options/place.ts";
import { type PermissionArgs, permission as parse } from "../permissions.ts";

/** A permission that a `scrim.Linkable` includes; made by `scrim.aws.permission()`. */
export class AwsPermission {
  /** @internal */
  readonly permission: Permission;

  /** @internal */
  constructor(permission: Permission) {
    this.permission = permission;
  }

  /** What it is for, in the words of comparable tools. */
  get type(): string {
    return "aws.permission";
  }
}

/**
 * A permission for the option `include` of `scrim.Linkable`.
 *
 * @example
 * scrim.aws.permission({ actions: ["ses:SendEmail"], resources: ["*"] });
 */
export function permission(args: PermissionArgs): AwsPermission {
  const site = new CallSite(currentLocator(), permission);
  return new AwsPermission(parse(args, new Place("scrim.aws.permission()", site)));
}

/** Whether a value was made by {@link permission}. */
export function isAwsPermission(value: unknown): value is AwsPermission {
  return value instanceof AwsPermission;
}
