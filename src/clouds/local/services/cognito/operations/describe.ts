import type { JsonObject } from "../../../../../model/json.ts";
import type { Group } from "../groups/group-table.ts";
import type { TextMap } from "../stored-json.ts";
import type { User } from "../users/user.ts";

/** Milliseconds as the API writes times: seconds. */
export function toSeconds(timeMs: number): number {
  return timeMs / 1000;
}

/** Attributes as the API writes them, the `sub` first. */
export function describeAttributes(attributes: TextMap): readonly JsonObject[] {
  const { sub, ...others } = attributes;
  return Object.entries({ ...(sub === undefined ? {} : { sub }), ...others }).map(
    ([name, value]) => ({ Name: name, Value: value }),
  );
}

/** What all descriptions of a user have, besides the attributes. */
export function describeUser(user: User): JsonObject {
  return {
    Username: user.username,
    UserCreateDate: toSeconds(user.createdMs),
    UserLastModifiedDate: toSeconds(user.modifiedMs),
    Enabled: user.enabled,
    UserStatus: user.status,
  };
}

/** A user among others; in that form the attributes are called `Attributes`. */
export function describeListedUser(user: User): JsonObject {
  return { ...describeUser(user), Attributes: describeAttributes(user.attributes) };
}

export function describeGroup(group: Group): JsonObject {
  return {
    GroupName: group.name,
    UserPoolId: group.pool,
    ...(group.description === "" ? {} : { Description: group.description }),
    ...(group.roleArn === "" ? {} : { RoleArn: group.roleArn }),
    ...(group.precedence === null ? {} : { Precedence: group.precedence }),
    CreationDate: toSeconds(group.createdMs),
    LastModifiedDate: toSeconds(group.modifiedMs),
  };
}
