import type { Cognito } from "../cognito.ts";
import { invalidParameter } from "../cognito-error.ts";
import type { UserPool } from "../pools/user-pool.ts";
import type { User } from "../users/user.ts";
import { onPool } from "./admin-users.ts";
import { describeListedUser } from "./describe.ts";
import { pageToken, readPageToken } from "./page-token.ts";

/** docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html */
const PAGE_MAX = 60;
/** Users that are looked at together, so that a filter need not hold all of them in memory. */
const READ_AT_ONCE = 500;
const FILTERED: ReadonlySet<string> = new Set([
  "username",
  "email",
  "phone_number",
  "name",
  "given_name",
  "family_name",
  "preferred_username",
  "cognito:user_status",
  "status",
  "sub",
]);

type Filter = (user: User) => boolean;

export const listUsers = onPool(async (cognito, pool, input) => {
  const limit = input.count("Limit", 0, PAGE_MAX) || PAGE_MAX;
  const after = readPageToken(input.textOrNull("PaginationToken"));
  const attributes = input.texts("AttributesToGet");
  const filter = parseFilter(input.textOrNull("Filter"));
  const found = findUsers(cognito, pool, after, limit + 1, filter);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    Users: page.map((user) => describeListedUser(narrowed(user, attributes))),
    ...(found.length > limit && last ? { PaginationToken: pageToken(last.username) } : {}),
  };
});

function findUsers(
  cognito: Cognito,
  pool: UserPool,
  after: string,
  limit: number,
  filter: Filter,
): readonly User[] {
  const found: User[] = [];
  let from = after;
  while (found.length < limit) {
    const users = cognito.store.users.page(pool.id, from, READ_AT_ONCE);
    found.push(...users.filter(filter));
    const last = users.at(-1);
    if (users.length < READ_AT_ONCE || last === undefined) break;
    from = last.username;
  }
  return found.slice(0, limit);
}

function narrowed(user: User, names: readonly string[]): User {
  if (names.length === 0) return user;
  const attributes = Object.entries(user.attributes).filter(([name]) => names.includes(name));
  return { ...user, attributes: Object.fromEntries(attributes) };
}

/** `name = "value"` or `name ^= "beginning"`. @throws CognitoError `InvalidParameterException` */
function parseFilter(text: string | null): Filter {
  if (text === null) return () => true;
  const match = /^\s*"?([a-z_:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(text);
  const [, name = "", operator, quoted = ""] = match ?? [];
  if (match === null || !FILTERED.has(name)) throw invalidParameter("Error while parsing filter");
  const wanted = quoted.replace(/\\(.)/g, "$1").toLowerCase();
  return (user) => {
    const value = searched(user, name).toLowerCase();
    return operator === "=" ? value === wanted : value.startsWith(wanted);
  };
}

function searched(user: User, name: string): string {
  if (name === "username") return user.username;
  if (name === "cognito:user_status") return user.status;
  if (name === "status") return user.enabled ? "Enabled" : "Disabled";
  return user.attributes[name] ?? "";
}
