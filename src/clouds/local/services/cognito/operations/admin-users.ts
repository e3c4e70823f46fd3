import { randomInt } from "node:crypto";
import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { CognitoError, invalidParameter } from "../cognito-error.ts";
import type { UserPool } from "../pools/user-pool.ts";
import { changeAttributes, checkAttributes, deleteAttributes } from "../users/attributes.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import { newUser } from "../users/new-user.ts";
import type { User } from "../users/user.ts";
import { describeAttributes, describeListedUser, describeUser } from "./describe.ts";
import type { Operation } from "./operation.ts";
import type { OperationInput } from "./operation-input.ts";
import { confirmed } from "./sign-up.ts";

const DAY_MS = 86_400_000;

/** An operation of an administrator on a pool. */
export function onPool(
  run: (cognito: Cognito, pool: UserPool, input: OperationInput) => Promise<JsonObject>,
): Operation {
  return {
    access: "signed",
    run: async (cognito, input) =>
      await run(cognito, cognito.store.pools.require(input.text("UserPoolId")), input),
  };
}

/** A change of one user, made in one commit. */
function onUser(
  change: (user: User, pool: UserPool, cognito: Cognito, input: OperationInput) => User,
): Operation {
  return onPool(async (cognito, pool, input) => {
    const { users } = cognito.store;
    await cognito.store.commit(() => {
      const user = users.require(pool.id, input.text("Username"));
      users.change(pool, { ...change(user, pool, cognito, input), modifiedMs: cognito.now() });
    });
    return {};
  });
}

export const adminCreateUser = onPool(async (cognito, pool, input) => {
  const action = input.textOrNull("MessageAction");
  if (input.flag("ForceAliasCreation"))
    throw invalidParameter("The local cloud does not support ForceAliasCreation");
  const attributes = input.attributes("UserAttributes");
  checkAttributes(attributes);
  const given = input.textOrNull("TemporaryPassword");
  const password = given ?? temporaryPassword(pool);
  checkPasswordPolicy(password, pool.passwordPolicy);
  const username = input.text("Username");
  const user =
    action === "RESEND"
      ? await renewInvitation(cognito, pool, username, password)
      : await invite(cognito, pool, newInvited(cognito, pool, username, attributes), password);
  if (action !== "SUPPRESS") deliverInvitation(cognito, pool, user, password);
  return { User: describeListedUser(user) };
});

export const adminGetUser = onPool(async (cognito, pool, input) => {
  const user = cognito.store.users.require(pool.id, input.text("Username"));
  return { ...describeUser(user), UserAttributes: describeAttributes(user.attributes) };
});

export const adminDeleteUser = onPool(async (cognito, pool, input) => {
  const { users } = cognito.store;
  const username = input.text("Username");
  await cognito.store.commit(() => users.delete(users.require(pool.id, username)));
  return {};
});

export const adminConfirmSignUp = onUser((user, pool, cognito) => {
  if (user.status !== "UNCONFIRMED")
    throw new CognitoError(
      "NotAuthorizedException",
      `User cannot be confirmed. Current status is ${user.status}`,
    );
  // Nobody has read a code, so nothing is verified.
  return { ...confirmed(cognito, pool, user), attributes: user.attributes };
});

export const adminUpdateUserAttributes = onUser((user, _pool, _cognito, input) => {
  const change = input.attributes("UserAttributes");
  checkAttributes(change);
  return { ...user, attributes: changeAttributes(user.attributes, change) };
});

export const adminDeleteUserAttributes = onUser((user, pool, _cognito, input) => {
  const names = input.texts("UserAttributeNames");
  return { ...user, attributes: deleteAttributes(pool, user.attributes, names) };
});

export const adminEnableUser = onUser((user) => ({ ...user, enabled: true }));

/** Tokens that are out end too. */
export const adminDisableUser = onUser((user, pool, cognito) => {
  cognito.store.grants.revokeAll(pool.id, user.username);
  return { ...user, enabled: false };
});

export const adminUserGlobalSignOut = onPool(async (cognito, pool, input) => {
  const user = cognito.store.users.require(pool.id, input.text("Username"));
  await cognito.store.commit(() => cognito.store.grants.revokeAll(pool.id, user.username));
  return {};
});

export const adminSetUserPassword = onPool(async (cognito, pool, input) => {
  const text = input.text("Password");
  const isPermanent = input.flag("Permanent");
  checkPasswordPolicy(text, pool.passwordPolicy);
  const { users } = cognito.store;
  const { username } = users.require(pool.id, input.text("Username"));
  const password = await cognito.passwords.store(pool, username, text);
  await cognito.store.commit(() => {
    const user = users.require(pool.id, username);
    users.change(pool, {
      ...user,
      status: isPermanent ? "CONFIRMED" : "FORCE_CHANGE_PASSWORD",
      password,
      temporaryUntilMs: isPermanent ? 0 : temporaryUntil(cognito, pool),
      modifiedMs: cognito.now(),
    });
  });
  return {};
});

function newInvited(
  cognito: Cognito,
  pool: UserPool,
  username: string,
  attributes: Readonly<Record<string, string>>,
): User {
  return newUser(pool, username, attributes, {
    status: "FORCE_CHANGE_PASSWORD",
    password: null,
    temporaryUntilMs: temporaryUntil(cognito, pool),
    nowMs: cognito.now(),
  });
}

async function invite(cognito: Cognito, pool: UserPool, draft: User, text: string): Promise<User> {
  const password = await cognito.passwords.store(pool, draft.username, text);
  const user = { ...draft, password };
  await cognito.store.commit(() => cognito.store.users.add(pool, user));
  return user;
}

/** A new temporary password for a user who never used the first one. */
async function renewInvitation(
  cognito: Cognito,
  pool: UserPool,
  login: string,
  text: string,
): Promise<User> {
  const { users } = cognito.store;
  const { username } = users.require(pool.id, login);
  const password = await cognito.passwords.store(pool, username, text);
  return await cognito.store.commit(() => {
    const user = users.require(pool.id, username);
    if (user.status !== "FORCE_CHANGE_PASSWORD")
      throw new CognitoError(
        "UnsupportedUserStateException",
        `Resend not possible. ${login} status is not FORCE_CHANGE_PASSWORD`,
      );
    const renewed = {
      ...user,
      password,
      temporaryUntilMs: temporaryUntil(cognito, pool),
      modifiedMs: cognito.now(),
    };
    users.change(pool, renewed);
    return renewed;
  });
}

function deliverInvitation(cognito: Cognito, pool: UserPool, user: User, password: string): void {
  const name = user.attributes["email"] ?? user.attributes["phone_number"] ?? user.username;
  cognito.deliver(pool, `Temporary password ${password} invites ${name}`);
}

function temporaryUntil(cognito: Cognito, pool: UserPool): number {
  return cognito.now() + pool.passwordPolicy.temporaryPasswordDays * DAY_MS;
}

const CHARACTER_KINDS = [
  "abcdefghijkmnopqrstuvwxyz",
  "ABCDEFGHJKLMNPQRSTUVWXYZ",
  "23456789",
  "!#$%&*+-=?@_",
] as const;

/** One that every policy takes: every kind of character in turn. */
function temporaryPassword(pool: UserPool): string {
  const length = Math.max(16, pool.passwordPolicy.minimumLength);
  return Array.from({ length }, (_, index) => {
    const kind = CHARACTER_KINDS[index % CHARACTER_KINDS.length] ?? "";
    return kind.charAt(randomInt(kind.length));
  }).join("");
}
