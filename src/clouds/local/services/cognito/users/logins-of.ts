import type { UserPool } from "../pools/user-pool.ts";
import type { User } from "./user.ts";

/** What a user may sign in with besides the username, and the attribute that says so. */
export interface Login {
  /** Lower case. */
  readonly login: string;
  readonly attribute: string;
}

/**
 * An attribute that stands for the username counts at once; one that is an alias counts when it is
 * verified, since until then anybody could claim it. A preferred name needs no proof.
 */
export function loginsOf(pool: UserPool, user: User): readonly Login[] {
  const attributes: readonly string[] = [
    ...pool.usernameAttributes,
    ...pool.aliasAttributes.filter((name) => isProven(user, name)),
  ];
  return attributes.flatMap((attribute) => {
    const value = user.attributes[attribute];
    return value === undefined || value === "" ? [] : [{ login: value.toLowerCase(), attribute }];
  });
}

function isProven(user: User, attribute: string): boolean {
  if (user.status === "UNCONFIRMED") return false;
  return attribute === "preferred_username" || user.attributes[`${attribute}_verified`] === "true";
}
