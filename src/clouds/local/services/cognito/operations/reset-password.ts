import type { Cognito } from "../cognito.ts";
import { invalidParameter, notAuthorized } from "../cognito-error.ts";
import type { Contact, UserPool } from "../pools/user-pool.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import { sendCode } from "../users/send-code.ts";
import { useCode } from "../users/use-code.ts";
import type { User } from "../users/user.ts";
import type { Operation } from "./operation.ts";
import { callerOf, inventDelivery } from "./sign-up.ts";

export const forgotPassword: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { client, pool, username } = callerOf(cognito, input);
    const user = client.hidesUserExistence
      ? cognito.store.users.find(pool.id, username)
      : cognito.store.users.require(pool.id, username);
    if (user === null) return { CodeDeliveryDetails: inventDelivery(pool, username) };
    const contact = recoveryContact(user);
    return { CodeDeliveryDetails: await sendCode(cognito, pool, user, "reset", contact) };
  },
};

export const confirmForgotPassword: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { client, pool, username } = callerOf(cognito, input);
    const code = input.text("ConfirmationCode");
    const password = input.text("Password");
    checkPasswordPolicy(password, pool.passwordPolicy);
    const user = client.hidesUserExistence
      ? cognito.store.users.find(pool.id, username)
      : cognito.store.users.require(pool.id, username);
    const subject = user?.username ?? username;
    cognito.store.attempts.check(pool.id, "code", subject, cognito.now());
    const stored = await cognito.passwords.store(pool, subject, password);
    await useCode(cognito, pool.id, subject, user, "reset", code, (current) =>
      cognito.store.users.change(pool, {
        ...current,
        status: "CONFIRMED",
        password: stored,
        temporaryUntilMs: 0,
        modifiedMs: cognito.now(),
      }),
    );
    return {};
  },
};

export const adminResetUserPassword: Operation = {
  access: "signed",
  run: async (cognito, input) => {
    const pool = cognito.store.pools.require(input.text("UserPoolId"));
    const user = cognito.store.users.require(pool.id, input.text("Username"));
    const contact = recoveryContact(user);
    const reset = await markForReset(cognito, pool, user);
    await sendCode(cognito, pool, reset, "reset", contact);
    return {};
  },
};

/** @throws CognitoError when the user has no verified address, or no password of its own to reset */
function recoveryContact(user: User): Contact {
  if (!user.enabled) throw notAuthorized("User is disabled.");
  if (user.status === "FORCE_CHANGE_PASSWORD")
    throw notAuthorized("User password cannot be reset in the current state.");
  const contacts = ["phone_number", "email"] as const;
  const contact = contacts.find(
    (name) => user.attributes[name] && user.attributes[`${name}_verified`] === "true",
  );
  if (contact !== undefined && user.status !== "UNCONFIRMED") return contact;
  throw invalidParameter(
    "Cannot reset password for the user as there is no registered/verified email or phone_number",
  );
}

async function markForReset(cognito: Cognito, pool: UserPool, user: User): Promise<User> {
  const { store } = cognito;
  return await store.commit(() => {
    const current = store.users.require(pool.id, user.username);
    const after: User = { ...current, status: "RESET_REQUIRED", modifiedMs: cognito.now() };
    store.users.change(pool, after);
    return after;
  });
}
