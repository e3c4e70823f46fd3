import type { Cognito } from "../cognito.ts";
import type { Group } from "../groups/group-table.ts";
import type { UserPool } from "../pools/user-pool.ts";
import type { User } from "../users/user.ts";
import { onPool } from "./admin-users.ts";
import { describeGroup, describeListedUser } from "./describe.ts";
import type { OperationInput } from "./operation-input.ts";
import { pageToken, readPageToken } from "./page-token.ts";

const PAGE_MAX = 60;
const PRECEDENCE_MAX = 2 ** 31 - 1;

export const createGroup = onPool(async (cognito, pool, input) => {
  const nowMs = cognito.now();
  const group = {
    ...groupIn(pool, input),
    ...{ createdMs: nowMs, modifiedMs: nowMs },
  };
  await cognito.store.commit(() => cognito.store.groups.add(group));
  return { Group: describeGroup(group) };
});

/** As with Cognito, what is left out is emptied. */
export const updateGroup = onPool(async (cognito, pool, input) => {
  const { groups } = cognito.store;
  const group = await cognito.store.commit(() => {
    const { createdMs } = groups.require(pool.id, input.text("GroupName"));
    const after = { ...groupIn(pool, input), createdMs, modifiedMs: cognito.now() };
    groups.save(after);
    return after;
  });
  return { Group: describeGroup(group) };
});

export const getGroup = onPool(async (cognito, pool, input) => ({
  Group: describeGroup(cognito.store.groups.require(pool.id, input.text("GroupName"))),
}));

export const deleteGroup = onPool(async (cognito, pool, input) => {
  const { name } = cognito.store.groups.require(pool.id, input.text("GroupName"));
  await cognito.store.commit(() => cognito.store.groups.delete(pool.id, name));
  return {};
});

export const listGroups = onPool(async (cognito, pool, input) => {
  const limit = input.count("Limit", 0, PAGE_MAX) || PAGE_MAX;
  const after = readPageToken(input.textOrNull("NextToken"));
  const all = cognito.store.groups.of(pool.id).filter(({ name }) => name > after);
  const page = all.slice(0, limit);
  const last = page.at(-1);
  return {
    Groups: page.map(describeGroup),
    ...(all.length > limit && last ? { NextToken: pageToken(last.name) } : {}),
  };
});

export const adminAddUserToGroup = onPool(async (cognito, pool, input) => {
  await cognito.store.commit(() => {
    const { group, user } = membershipIn(cognito, pool, input);
    cognito.store.groups.addMember(pool.id, group.name, user.username);
  });
  return {};
});

export const adminRemoveUserFromGroup = onPool(async (cognito, pool, input) => {
  await cognito.store.commit(() => {
    const { group, user } = membershipIn(cognito, pool, input);
    cognito.store.groups.removeMember(pool.id, group.name, user.username);
  });
  return {};
});

export const adminListGroupsForUser = onPool(async (cognito, pool, input) => {
  const { username } = cognito.store.users.require(pool.id, input.text("Username"));
  return { Groups: cognito.store.groups.ofUser(pool.id, username).map(describeGroup) };
});

export const listUsersInGroup = onPool(async (cognito, pool, input) => {
  const { groups, users } = cognito.store;
  const { name } = groups.require(pool.id, input.text("GroupName"));
  const limit = input.count("Limit", 0, PAGE_MAX) || PAGE_MAX;
  const after = readPageToken(input.textOrNull("NextToken"));
  const names = groups.members(pool.id, name, after, limit + 1);
  const page = names.slice(0, limit);
  const last = page.at(-1);
  return {
    Users: page.flatMap((username) => {
      const user = users.get(pool.id, username);
      return user === null ? [] : [describeListedUser(user)];
    }),
    ...(names.length > limit && last !== undefined ? { NextToken: pageToken(last) } : {}),
  };
});

function groupIn(pool: UserPool, input: OperationInput): Omit<Group, "createdMs" | "modifiedMs"> {
  return {
    pool: pool.id,
    name: input.text("GroupName"),
    description: input.textOrNull("Description") ?? "",
    precedence: input.count("Precedence", 0, PRECEDENCE_MAX),
    roleArn: input.textOrNull("RoleArn") ?? "",
  };
}

function membershipIn(
  cognito: Cognito,
  pool: UserPool,
  input: OperationInput,
): { readonly group: Group; readonly user: User } {
  return {
    user: cognito.store.users.require(pool.id, input.text("Username")),
    group: cognito.store.groups.require(pool.id, input.text("GroupName")),
  };
}
